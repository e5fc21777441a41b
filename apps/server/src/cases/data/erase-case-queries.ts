import { and, count, eq, inArray, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { caseEntry, supportCase } from './cases-tables.ts';

const casesOf = (personId: string) =>
  new QueryBuilder()
    .select({ id: supportCase.id })
    .from(supportCase)
    .where(eq(supportCase.personId, personId));

export async function countOpenCases(on: Executor, personIds: readonly string[]): Promise<number> {
  const [found] = await on
    .select({ open: count() })
    .from(supportCase)
    .where(and(isAnyOf(supportCase.personId, personIds), eq(supportCase.state, 'open')));
  return found?.open ?? 0;
}

/** Deletes the texts about a person in their cases. The cases and the actions in them are kept. */
export async function eraseCaseTexts(tx: Transaction, personId: string): Promise<number> {
  const { rowCount } = await tx
    .update(supportCase)
    .set({ ticket: '', about: '', outcomeText: '' })
    .where(eq(supportCase.personId, personId));
  await tx
    .update(caseEntry)
    .set({ data: sql`${caseEntry.data} - array['text', 'ticket', 'about', 'label']` })
    .where(inArray(caseEntry.caseId, casesOf(personId)));
  return rowCount ?? 0;
}

/** The cases of a person with all their entries, for the person's record. */
export const caseRowsOf = (personId: string) => [
  { table: supportCase, where: eq(supportCase.personId, personId) },
  { table: caseEntry, where: inArray(caseEntry.caseId, casesOf(personId)) },
];
