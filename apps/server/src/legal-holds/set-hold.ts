import { newId } from '@deviceportal/contract/ids';
import type { NewLegalHold } from '@deviceportal/contract/legal-holds';
import { refuse } from '@deviceportal/contract/refuse';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { extendHolds } from './data/extend-holds.ts';
import { insertHold, openHolds } from './data/hold-queries.ts';
import type { LegalHoldsDeps } from './legal-holds-deps.ts';
import { recordHold } from './record-hold.ts';
import { resolveSubjects } from './resolve-subjects.ts';

/**
 * Sets a hold, which takes effect with the commit: what it covers is not deleted from then on.
 * @throws PortalError 2004 for an unknown subject, for an end in the past, or for too many holds
 */
export function setHold(
  { database, clock }: LegalHoldsDeps,
  caller: Caller,
  { name, reason, subjects: texts, from, to, until }: NewLegalHold,
): Promise<{ readonly id: string }> {
  const now = clock();
  if (until !== null && new Date(until) <= now)
    throw refuse('hold-ends-in-past', { field: 'until' });
  return inTransaction(database, async (tx) => {
    await requireRoom(tx, { limit: 'legalHolds', of: '', existing: openHolds(tx) });
    const subjects = await resolveSubjects(tx, texts);
    const id = newId();
    await insertHold(
      tx,
      {
        ...{ id, name, reason, setById: caller.viewer.userId, setAt: now },
        isLimited: subjects.length > 0,
        heldFrom: dateOrNull(from),
        heldTo: dateOrNull(to),
        until: dateOrNull(until),
      },
      subjects,
    );
    await extendHolds(tx);
    await recordHold(tx, caller, 'legal-hold.set', {
      ...{ id, name, purpose: reason, from, to, until },
      subjects: subjects.map(({ kind, subjectId }) => `${kind}:${subjectId}`),
    });
    return { id };
  });
}

const dateOrNull = (moment: string | null): Date | null =>
  moment === null ? null : new Date(moment);
