import { leafHash, recordValues, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import { toHex } from '@deviceportal/audit-proof/hashing';
import type { TrailNotes } from '@deviceportal/audit-proof/trail-notes';
import type { Database } from '../../platform/database/database.ts';
import { countQueuedBefore, findStrays } from '../data/sealing/unsealed-event-queries.ts';
import { fitsTheTime } from '../event-time.ts';
import { proofTools } from '../export/proof-tools.ts';

export interface UnsealedEvents {
  /** Events that are neither sealed nor queued: the trigger was bypassed, or their block or queue entry was removed. */
  readonly strays: number;
  /** Events that have been queued for longer than 15 minutes. */
  readonly overdue: number;
  /** Events that were not sealed because their recorded time did not fit, as recorded in a sealed event. */
  readonly refused: number;
}

const OVERDUE_MS = 15 * 60_000;
const STRAYS_READ = 10_000;

/** Counts events without a seal by reason. */
export async function countUnsealed(
  { orm }: Database,
  notes: Pick<TrailNotes, 'refused'>,
): Promise<UnsealedEvents> {
  const strays = await findStrays(orm, STRAYS_READ);
  const refused = strays.filter((event) => isRefused(event, notes)).length;
  return {
    strays: (strays[0]?.total ?? 0) - refused,
    overdue: await countQueuedBefore(orm, new Date(Date.now() - OVERDUE_MS)),
    refused,
  };
}

/** Whether this event was refused, and its time justifies it. */
function isRefused(event: AuditRecord, { refused }: Pick<TrailNotes, 'refused'>): boolean {
  const noted = refused.get(event.id);
  if (noted === undefined) return false;
  const { sealedAt } = noted;
  return (
    toHex(leafHash(proofTools.sha256, recordValues(event))) === noted.digest &&
    !fitsTheTime(event, { now: new Date(sealedAt), before: { sealedAt, reached: sealedAt } })
  );
}
