import { JOURNAL_DATA_LIMIT_DEPTH, type BucketRule } from '@deviceportal/contract/device-limits';
import { MAX_ACK_WAIT_MS } from '@deviceportal/device-protocol/journal';
import { jsonSize } from '@deviceportal/device-protocol/json-size';
import { refilled } from '../../platform/token-buckets.ts';
import type { ReceivedEntry } from './read-journal.ts';

/** New journals and gaps are rare in normal operation. */
export const NEW_JOURNAL_COST = 100;
export const GAP_COST = 100;
/** Below this, a message that follows a gap does not wait: the missing entries may have been held back. */
export const LOW_TOKENS = 200;

const CHARACTERS_PER_TOKEN = 1_024;
/** A name and version that no other device has take half a KiB, and the history keeps what they replaced. */
const LISTED_PER_TOKEN = 2;
/** After a pause, a device should be able to send at least so much. */
const MIN_TOKENS_AFTER_PAUSE = 30;

/**
 * What an entry costs of the quota of its journal. 1 stands for an event in the audit trail, which is kept for years.
 * Entries of an invocation cost little: invocations are requested by users and have limits of their own.
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

/** Remaining tokens of an instance at a time. */
export function tokensAt(
  now: Date,
  quota: BucketRule,
  { left, at }: { readonly left: number | null; readonly at: string | Date | null },
): number {
  if (left === null || at === null) return quota.burst;
  return refilled(quota, left, now.getTime() - new Date(at).getTime());
}

/** Milliseconds until the quota contains so many tokens. */
export function waitFor(quota: BucketRule, needed: number, left: number): number {
  const missing = Math.max(needed - left, MIN_TOKENS_AFTER_PAUSE);
  const waitMs = Math.ceil((missing / quota.perSecond) * 1_000);
  return Math.min(MAX_ACK_WAIT_MS, Math.max(1, waitMs));
}
