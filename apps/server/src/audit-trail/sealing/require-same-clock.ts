import type { AuditBlock } from '@deviceportal/audit-proof/audit-block';
import type { Transaction } from '../../platform/database/database.ts';
import { readAuditClock } from '../data/sealing/read-audit-clock.ts';
import { SealStopped } from './seal-stopped.ts';

const TOLERANCE_MS = 5 * 60_000;

/** @throws SealStopped if the clocks of the database and of this server differ */
export async function requireSameClock(
  tx: Transaction,
  now: Date,
  before: Pick<AuditBlock, 'number'> | undefined,
): Promise<void> {
  const differenceMs = (await readAuditClock(tx)).getTime() - now.getTime();
  if (Math.abs(differenceMs) > TOLERANCE_MS) throw new SealStopped('clock', before?.number ?? 0);
}
