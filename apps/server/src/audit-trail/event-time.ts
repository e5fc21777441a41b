import { sql } from 'drizzle-orm';
import type { AuditBlock } from '@deviceportal/audit-proof/audit-block';
import type { AuditRecord } from '@deviceportal/audit-proof/audit-record';
import type { Transaction } from '../platform/database/database.ts';
import { SealStopped } from './sealing/seal-stopped.ts';

const MINUTE_MS = 60_000;
/** A transaction that takes longer has its events refused. */
const TOLERANCE_MS = 15 * MINUTE_MS;
/** An id is made when the event is recorded; as in `await_audit_seal`. */
const ID_TOLERANCE_MS = 60 * MINUTE_MS;
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

interface SealTime {
  readonly now: Date;
  /** The block that the next one follows. */
  readonly before: (Pick<AuditBlock, 'sealedAt'> & { readonly reached: string }) | undefined;
}

/**
 * Whether an event that is sealed now was recorded since the block before, or since the last event of that block: events
 * that waited for long take more than one. A clock that was set back widens the window. Nothing is known about the time
 * before the first block.
 */
export function fitsTheTime({ id, at }: Pick<AuditRecord, 'id' | 'at'>, time: SealTime): boolean {
  const atMs = Date.parse(at);
  const nowMs = time.now.getTime();
  const { sealedAt, reached } = time.before ?? {};
  const beforeMs = sealedAt === undefined ? -Infinity : Date.parse(sealedAt);
  const reachedMs = reached === undefined ? -Infinity : Date.parse(reached);
  return (
    // Without a tolerance for what was reached: block by block it would lead ever further back.
    atMs >= Math.min(nowMs - TOLERANCE_MS, beforeMs - TOLERANCE_MS, reachedMs) &&
    atMs <= Math.max(nowMs, beforeMs) + TOLERANCE_MS &&
    Math.abs(momentOfId(id) - atMs) <= ID_TOLERANCE_MS
  );
}

/** Milliseconds since 1970 (UUIDv7). */
function momentOfId(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

/** @throws SealStopped when the clocks of the database and of this server differ */
export async function requireSameClock(
  tx: Transaction,
  now: Date,
  before: Pick<AuditBlock, 'number'> | undefined,
): Promise<void> {
  const { rows } = await tx.execute(
    sql`select (extract(epoch from audit_clock()) * 1000)::float8 as ms`,
  );
  const { ms } = rows[0] as { ms: number };
  if (Math.abs(ms - now.getTime()) > CLOCK_TOLERANCE_MS) {
    throw new SealStopped('clock', before?.number ?? 0);
  }
}
