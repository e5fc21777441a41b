import { eq, sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { person } from './people-tables.ts';
import { personSearch } from './person-search-tables.ts';

/** A form of a word, and whether a stored form can be longer. */
export interface WantedForm {
  readonly form: string;
  readonly isBeginning?: boolean;
}

/** Codes by sound begin with this character. */
export const SOUND = '~';
/** The local part of an email address, without separators, begins with this character. */
const MAILBOX = '@';

const lexeme = ({ form, isBeginning = false }: WantedForm): string =>
  `'${form.replaceAll('\\', String.raw`\\`).replaceAll("'", "''")}'${isBeginning ? ':*' : ''}`;

/** For each word of a name, one of its forms must be a form of the person. */
export function formsQuery(words: readonly (readonly WantedForm[])[]): SQL {
  const text = words.map((forms) => `(${forms.map(lexeme).join('|')})`).join('&');
  return sql`${personSearch.words} @@ ${text}::tsquery`;
}

export const mailboxQuery = (mailboxes: readonly string[]): SQL =>
  formsQuery([mailboxes.map((mailbox) => ({ form: MAILBOX + mailbox }))]);

export const mailboxForm = (localPart: string): string => localPart.replaceAll(/[._-]/g, '');

/** People by a condition on their forms. */
export const peopleByForms = (on: Executor, condition: SQL, limit: number) =>
  on
    .select({
      id: person.id,
      name: person.name,
      username: person.username,
      email: person.email,
      phone: person.phone,
      forms: sql<string[]>`tsvector_to_array(${personSearch.words})`,
    })
    .from(personSearch)
    .innerJoin(person, eq(person.id, personSearch.personId))
    .where(condition)
    .limit(limit);

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
