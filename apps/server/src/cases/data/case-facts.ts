import { and, eq } from 'drizzle-orm';
import { personNames } from '../../people/data/person-names.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { caseEntry, supportCase } from './cases-tables.ts';

/** What a case says about its person and its subject, unmasked. */
export async function findCaseFacts(on: Executor, id: string) {
  const { about, priority, queue, personId } = supportCase;
  const { name, username, email, phone } = personNames;
  const [found] = await on
    .select({
      ...{ id: supportCase.id, about, priority, queue },
      person: { name, username, email, phone },
    })
    .from(supportCase)
    .innerJoin(personNames, eq(personNames.personId, personId))
    .where(eq(supportCase.id, id));
  return found;
}

/** An entry of a case. */
export async function findEntry(on: Executor, caseId: string, id: string) {
  const [found] = await on
    .select({ kind: caseEntry.kind, data: caseEntry.data })
    .from(caseEntry)
    .where(and(eq(caseEntry.caseId, caseId), eq(caseEntry.id, id)));
  return found;
}

/** Sets the ticket number of a case that has none. @returns whether it had none */
export async function fillTicket(tx: Transaction, id: string, ticket: string): Promise<boolean> {
  const { rowCount } = await tx
    .update(supportCase)
    .set({ ticket })
    .where(and(eq(supportCase.id, id), eq(supportCase.ticket, '')));
  return rowCount === 1;
}
