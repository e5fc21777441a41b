import type { SQL } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { estimateRows, sampleOf } from '../../platform/database/estimate-rows.ts';
import { sampled } from '../../platform/database/sampled.ts';
import { person } from './people-tables.ts';
import { containsWords, indexedByWords } from './person-conditions.ts';
import { peopleByForms } from './person-forms.ts';

/** Conditions that select people, of three kinds. */
export interface PersonConditions {
  /** Each uses its own index. */
  readonly exact: readonly SQL[];
  /** Words that a person's data contains all, found by trigrams; if many people match, only some are examined. */
  readonly vague: readonly (readonly string[])[];
  /** On the forms of names, and on a reading of a whole Chinese name. */
  readonly forms: readonly { readonly where: SQL; readonly marked: SQL }[];
}

export interface FoundPerson extends Pick<
  typeof person.$inferSelect,
  'id' | 'name' | 'username' | 'email' | 'phone'
> {
  /** Found by the forms of the name: by one of its words, or by a reading of the whole name. */
  readonly byForm: 'word' | 'reading' | null;
}

/** A text that matches more people than this is not looked up; some of them are found among a sample. */
const MAX_LOOKED_UP = 5_000;
const SCATTERED = 4_000;

export interface NamedPeople {
  readonly people: readonly FoundPerson[];
  /** False if more people may meet a condition. */
  readonly isComplete: boolean;
}

/**
 * People who meet one of the conditions. Their visibility is not checked: see `firstVisible`.
 *
 * @param most people for each condition
 */
export async function findNamedPeople(
  on: Executor,
  conditions: PersonConditions,
  most: number,
): Promise<NamedPeople> {
  const { id, name, username, email, phone } = person;
  const some = (where: SQL | undefined, sample?: SQL) =>
    on
      .select({ id, name, username, email, phone })
      .from(sampled(person, sample))
      .where(where)
      .limit(most)
      .$dynamic();
  const byConditions = async () => {
    const vague = await Promise.all(conditions.vague.map((words) => lookUpOrSample(on, words)));
    const [first, ...others] = [
      ...conditions.exact.map((where) => some(where)),
      ...vague.map(({ where, sample }) => some(where, sample)),
    ];
    return first === undefined ? [] : others.reduce((all, piece) => all.union(piece), first);
  };
  const [formed, found] = await Promise.all([
    Promise.all(conditions.forms.map((wanted) => peopleByForms(on, { ...wanted, limit: most }))),
    byConditions(),
  ]);
  const people = new Map<string, FoundPerson>(
    found.map((each) => [each.id, { ...each, byForm: null }]),
  );
  for (const { isMarked, ...each } of formed.flat()) {
    people.set(each.id, { ...each, byForm: isMarked ? 'reading' : 'word' });
  }
  return {
    people: [...people.values()],
    isComplete: [found, ...formed].every(({ length }) => length < most),
  };
}

async function lookUpOrSample(
  on: Executor,
  words: readonly string[],
): Promise<{ readonly where: SQL | undefined; readonly sample?: SQL }> {
  const where = containsWords(words);
  const matching = on.select({ id: person.id }).from(person).where(where);
  const isCommon = (await estimateRows(on, matching.getSQL())) > MAX_LOOKED_UP;
  return isCommon
    ? { where, sample: await sampleOf(on, 'person', SCATTERED) }
    : { where: indexedByWords(words) };
}
