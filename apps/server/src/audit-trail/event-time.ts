import type { AuditBlock } from '@deviceportal/audit-proof/audit-block';
import type { AuditRecord } from '@deviceportal/audit-proof/audit-record';

const MINUTE_MS = 60_000;
/** Events of a longer transaction are refused. */
const TOLERANCE_MS = 15 * MINUTE_MS;
/** An ID is created when the event is recorded; as in `await_audit_seal`. */
const ID_TOLERANCE_MS = 60 * MINUTE_MS;

interface SealTime {
  readonly now: Date;
  /** The previous block. */
  readonly before: (Pick<AuditBlock, 'sealedAt'> & { readonly reached: string }) | undefined;
}

/**
 * Whether an event that is sealed now was recorded since the previous block, or since the last event of that block: a
 * backlog takes several blocks. A clock that was set back extends the window. Before the first block, any earlier time
 * fits.
 */
export function fitsTheTime({ id, at }: Pick<AuditRecord, 'id' | 'at'>, time: SealTime): boolean {
  const atMs = Date.parse(at);
  const nowMs = time.now.getTime();
  const { sealedAt, reached } = time.before ?? {};
  const beforeMs = sealedAt === undefined ? -Infinity : Date.parse(sealedAt);
  const reachedMs = reached === undefined ? -Infinity : Date.parse(reached);
  return (
    // No tolerance for the last event: it would add up block by block.
    atMs >= Math.min(nowMs - TOLERANCE_MS, beforeMs - TOLERANCE_MS, reachedMs) &&
    atMs <= Math.max(nowMs, beforeMs) + TOLERANCE_MS &&
    Math.abs(momentOfId(id) - atMs) <= ID_TOLERANCE_MS
  );
}

/** Milliseconds since 1970 (UUIDv7). */
function momentOfId(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
