import { and, count, eq, inArray, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { RowWalk } from '../../personal-data/tables-of-users.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { caseEntry, supportCase } from './cases-tables.ts';

const casesOf = (personIds: readonly string[]) =>
  new QueryBuilder()
    .select({ id: supportCase.id })
    .from(supportCase)
    .where(isAnyOf(supportCase.personId, personIds));

export async function countOpenCases(on: Executor, personIds: readonly string[]): Promise<number> {
  const [found] = await on
    .select({ open: count() })
    .from(supportCase)
    .where(and(isAnyOf(supportCase.personId, personIds), eq(supportCase.state, 'open')));
  return found?.open ?? 0;
}

/** Deletes the texts about people in their cases. The cases are kept. */
export const caseTextWalk = (personIds: readonly string[]): RowWalk => ({
  table: supportCase,
  matches: sql`${isAnyOf(supportCase.personId, personIds)}
    and (${supportCase.ticket} <> '' or ${supportCase.about} <> '' or ${supportCase.outcomeText} <> '')`,
  set: [
    [supportCase.ticket, sql`''`],
    [supportCase.about, sql`''`],
    [supportCase.outcomeText, sql`''`],
  ],
});

const entryTexts = sql.raw(`array['text', 'ticket', 'about', 'label']`);

/** Deletes the texts in the entries of these cases. The actions in them are kept. */
export const caseEntryTextWalk = (personIds: readonly string[]): RowWalk => ({
  table: caseEntry,
  matches: sql`${inArray(caseEntry.caseId, casesOf(personIds))} and ${caseEntry.data} ?| ${entryTexts}`,
  set: [[caseEntry.data, sql`${caseEntry.data} - ${entryTexts}`]],
});

/** The cases of a person with all their entries, for the person's record. */
export const caseRowsOf = (personId: string) => [
  { table: supportCase, where: eq(supportCase.personId, personId) },
  { table: caseEntry, where: inArray(caseEntry.caseId, casesOf([personId])) },
];
