/** Whose turn it is to change this device, where several people do. What only reads never waits. */

import { LEASE_QUIET_MS } from '@deviceportal/contract/leases';

export interface RunningChange {
  /** Who sent it; null where it only reads. */
  readonly holder: string | null;
  /** When it last said something: it began, took a step, printed. */
  readonly newsAtMs: number;
}

const hinders = (holder: string, other: string | null): boolean =>
  other !== null && other !== holder;

/**
 * Until when a change waits for those of others that go on, if they say nothing more: one that has been quiet for so
 * long holds the device no more. Null where its turn has come; `Infinity` behind one that has not begun.
 */
export function waitsUntilMs(
  holder: string | null,
  {
    running,
    before,
    nowMs,
  }: {
    readonly running: readonly RunningChange[];
    /** Holders of what came before it and has not begun. */
    readonly before: readonly (string | null)[];
    readonly nowMs: number;
  },
): number | null {
  if (holder === null) return null;
  if (before.some((other) => hinders(holder, other))) return Infinity;
  const ends = running
    .filter((change) => hinders(holder, change.holder))
    .map(({ newsAtMs }) => newsAtMs + LEASE_QUIET_MS)
    .filter((endMs) => endMs > nowMs);
  return ends.length === 0 ? null : Math.max(...ends);
}
