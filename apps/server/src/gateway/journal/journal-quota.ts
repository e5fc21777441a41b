import { JOURNAL_DATA_LIMIT_DEPTH, type BucketRule } from '@deviceportal/contract/device-limits';
import { MAX_ACK_WAIT_MS } from '@deviceportal/device-protocol/journal';
import { jsonSize } from '@deviceportal/device-protocol/json-size';
import { refilled } from '../../platform/token-buckets.ts';
import type { ReceivedEntry } from './read-journal.ts';

/** A new journal of an instance, and a hole in one, are rare where nobody makes them. */
export const NEW_JOURNAL_COST = 100;
export const GAP_COST = 100;
/** Below it a message that stands after a hole is not waited for: what is missing may have been held back. */
export const LOW_TOKENS = 200;

const CHARACTERS_PER_TOKEN = 1_024;
/** A name and version that no other device has takes half a KiB, and the history keeps what it replaced. */
const LISTED_PER_TOKEN = 2;
/** A device that waits should then have something to send. */
const WORTH_WAITING_FOR = 30;

/**
 * What an entry takes from the quota of its journal. One is an event in the audit trail, which is kept for years. What
 * belongs to an invocation costs little: invocations are requested by people, and each has limits of its own.
 */
export function costOf(entry: ReceivedEntry): number {
  switch (entry.kind) {
    case 'event':
      return 1 + jsonSize(entry.data, JOURNAL_DATA_LIMIT_DEPTH) / CHARACTERS_PER_TOKEN;
    case 'inventory':
      return 5 + jsonSize(entry.details, JOURNAL_DATA_LIMIT_DEPTH) / CHARACTERS_PER_TOKEN;
    case 'software':
      return 1 + entry.components.length / LISTED_PER_TOKEN;
    case 'packages':
      return 1 + entry.packages.length / LISTED_PER_TOKEN;
    case 'invocation-output':
      return 0.02;
    case 'invocation-started':
    case 'invocation-step':
    case 'invocation-result':
      return 0.1;
    default:
      return 1;
  }
}

/** What an instance has left at a moment. */
export function tokensAt(
  now: Date,
  quota: BucketRule,
  { left, at }: { readonly left: number | null; readonly at: string | Date | null },
): number {
  if (left === null || at === null) return quota.burst;
  return refilled(quota, left, now.getTime() - new Date(at).getTime());
}

/** How long until so many tokens are there, in milliseconds. */
export function waitFor(quota: BucketRule, needed: number, left: number): number {
  const missing = Math.max(needed - left, WORTH_WAITING_FOR);
  const waitMs = Math.ceil((missing / quota.perSecond) * 1_000);
  return Math.min(MAX_ACK_WAIT_MS, Math.max(1, waitMs));
}
