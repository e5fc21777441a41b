import type { z } from 'zod';
import type { CaseDetail, openCaseInput } from '@deviceportal/contract/cases';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Caller, Viewer } from '../platform/viewer.ts';
import {
  casesOfLastDay,
  findOwnOpenCase,
  insertCase,
  isPersonVisible,
  otherOpenCases,
  type NewCase,
} from './data/case-queries.ts';
import { setActiveCase } from './data/case-worker-queries.ts';
import type { CasesDeps } from './cases-deps.ts';
import { enterCase } from './enter-case.ts';
import { getCase } from './get-case.ts';
import { caseChanges, recordInCase } from './record-in-case.ts';

/**
 * Opens a case for a person and makes it the viewer's active one. A viewer who already has an open case for the person
 * continues in that one, so a second click creates no second case.
 *
 * @throws PortalError notFound (2003) if the person is not visible to the viewer
 */
export async function openCase(
  deps: CasesDeps,
  caller: Caller,
  input: z.infer<typeof openCaseInput>,
): Promise<CaseDetail> {
  const { viewer } = caller;
  const made: NewCase = { id: newId(), ...input, at: deps.clock() };
  const isCreated = await inTransaction(deps.database, async (tx) => {
    await requirePerson(tx, viewer, input.personId);
    const existing = otherOpenCases(viewer.userId, input.personId);
    await requireRoom(tx, { limit: 'openCases', of: viewer.userId, existing });
    if (!(await insertCase(tx, viewer, made))) return false;
    const today = casesOfLastDay(viewer.userId, made.id);
    await requireRoom(tx, { limit: 'cases', of: viewer.userId, existing: today });
    await setActiveCase(tx, viewer, { caseId: made.id, at: made.at });
    const { ticket, about, at } = made;
    await recordInCase(tx, caller, {
      caseId: made.id,
      at,
      entry: { kind: 'opened', data: { ticket, about } },
      audit: { type: 'case.opened', data: { personId: made.personId, ticket } },
    });
    return true;
  });
  if (isCreated) {
    deps.changes.publish(caseChanges(made.id));
    return getCase(deps, viewer, made.id);
  }
  const id = await findOwnOpenCase(deps.database.orm, { ...input, userId: viewer.userId });
  if (id === undefined) throw new PortalError('notFound', { facts: { person: input.personId } });
  return enterCase(deps, caller, id);
}

async function requirePerson(tx: Transaction, viewer: Viewer, id: string): Promise<void> {
  if (!(await isPersonVisible(tx, viewer, id)))
    throw new PortalError('notFound', { facts: { person: id } });
}
