import { eq, sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { person } from './people-tables.ts';
import { personSearch } from './person-search-tables.ts';

/** A form of a word, and whether a stored form can be longer. */
export interface WantedForm {
  readonly form: string;
  readonly isBeginning?: boolean;
}

/** Codes by sound begin with this character. */
export const SOUND = '~';

const lexeme = ({ form, isBeginning = false }: WantedForm): string =>
  `'${form.replaceAll('\\', String.raw`\\`).replaceAll("'", "''")}'${isBeginning ? ':*' : ''}`;

/** For each word of a name, one of its forms must be a form of the person. */
export function formsQuery(words: readonly (readonly WantedForm[])[]): SQL {
  const given = words
    .map((forms) => forms.filter(({ form }) => form !== '').map(lexeme))
    .filter((forms) => forms.length > 0);
  if (given.length === 0) return sql`false`;
  const text = given.map((forms) => `(${forms.join('|')})`).join('&');
  return sql`${personSearch.words} @@ ${text}::tsquery`;
}

export interface WantedPeople {
  /** A condition on their forms. */
  readonly where: SQL;
  /** Which of the people have another form as well. */
  readonly marked?: SQL;
  readonly limit: number;
}

export const peopleByForms = (on: Executor, { where, marked = sql`false`, limit }: WantedPeople) =>
  on
    .select({
      id: person.id,
      name: person.name,
      username: person.username,
      email: person.email,
      phone: person.phone,
      isMarked: sql<boolean>`${marked}`,
    })
    .from(personSearch)
    .innerJoin(person, eq(person.id, personSearch.personId))
    .where(where)
    .limit(limit);

/** All forms of some people. */
export async function formsOfPeople(
  on: Executor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await on
    .select({
      id: personSearch.personId,
      forms: sql<string[]>`tsvector_to_array(${personSearch.words})`,
    })
    .from(personSearch)
    .where(isAnyOf(personSearch.personId, ids));
  return new Map(rows.map(({ id, forms }) => [id, forms]));
}

/** The forms that each of these words would have as a name. A Chinese name sounds like a whole, not like one of its characters. */
export async function formsOfWords(
  on: Executor,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (words.length === 0) return new Map();
  const rows = await on
    .select({
      word: sql<string>`given.word`,
      forms: sql<
        string[]
      >`case when given.word ~ '[\\u4e00-\\u9fff]' then search_pinyin_whole(given.word)
        else search_forms(given.word) end`,
    })
    .from(sql`unnest(${sql.param([...words])}::text[]) as given(word)`);
  return new Map(
    rows.map(({ word, forms }) => [word, [...new Set(forms)].filter((form) => form !== SOUND)]),
  );
}
