import type { z } from 'zod';
import type { CaseDetail, updateCaseInput } from '@deviceportal/contract/cases';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import { isoOrNull } from '../platform/moment-cursor.ts';
import type { Caller } from '../platform/viewer.ts';
import { priorityOf, priorityRank } from './case-priority.ts';
import { editsOf } from './data/case-entry-queries.ts';
import { updateCaseDetails, type CaseDetails, type LockedCase } from './data/case-queries.ts';
import { spellingOfQueue } from './data/find-queues.ts';
import type { CasesDeps } from './cases-deps.ts';
import { getCase } from './get-case.ts';
import { caseChanges, recordInCase } from './record-in-case.ts';
import { requireOpenCase } from './require-case.ts';

type Changes = Omit<z.infer<typeof updateCaseInput>, 'id'>;

/** Changes details of a case. Fields that are absent, or the same as before, are not changed. */
export async function updateCase(
  deps: CasesDeps,
  caller: Caller,
  { id, ...wanted }: z.infer<typeof updateCaseInput>,
): Promise<CaseDetail> {
  const { viewer } = caller;
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    const before = await requireOpenCase(tx, viewer, id);
    const changed = differences(before, await storedForm(tx, wanted));
    if (Object.keys(changed).length === 0) return;
    await requireRoom(tx, { limit: 'caseUpdates', of: id, existing: editsOf(id) });
    await updateCaseDetails(tx, id, changed);
    await recordInCase(tx, caller, {
      ...{ caseId: id, at },
      entry: { kind: 'updated', data: inWords(changed) },
      audit: {
        type: 'case.updated',
        data: { personId: before.personId, ...beforeAndAfter(before, changed) },
      },
    });
  });
  deps.changes.publish(caseChanges(id));
  return getCase(deps, viewer, id);
}

async function storedForm(
  tx: Transaction,
  { ticket, about, priority, queue, dueAt }: Changes,
): Promise<Partial<CaseDetails>> {
  return {
    ...(ticket !== undefined && { ticket }),
    ...(about !== undefined && { about }),
    ...(priority !== undefined && { priority: priorityRank(priority) }),
    ...(queue !== undefined && { queue: await spellingOfQueue(tx, queue) }),
    ...(dueAt !== undefined && { dueAt: dueAt === null ? null : new Date(dueAt) }),
  };
}

const differences = (before: LockedCase, wanted: Partial<CaseDetails>): Partial<CaseDetails> =>
  Object.fromEntries(
    Object.entries(wanted).filter(
      ([key, value]) => String(value) !== String(before[key as keyof CaseDetails]),
    ),
  ) as Partial<CaseDetails>;

/** Of the subject, which is free text about the person, only the case keeps what was entered. */
function beforeAndAfter(
  { ticket, priority, queue, dueAt }: LockedCase,
  { about: _about, ...changed }: Partial<CaseDetails>,
): Record<string, unknown> {
  const before = inWords({ ticket, priority, queue, dueAt });
  const after = inWords(changed);
  return Object.fromEntries(
    Object.keys(after).flatMap((key) => [
      [key, after[key]],
      [`${key}Before`, before[key]],
    ]),
  );
}

/** As recorded: the priority by its name, and the time in the wire format. */
function inWords({ priority, dueAt, ...rest }: Partial<CaseDetails>): Record<string, unknown> {
  return {
    ...rest,
    ...(priority !== undefined && { priority: priorityOf(priority) }),
    ...(dueAt !== undefined && { dueAt: isoOrNull(dueAt) }),
  };
}
