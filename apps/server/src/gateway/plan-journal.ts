import type { JournalEntry, JournalMessage } from '@deviceportal/device-protocol/journal';

/** Up to where the journal of an instance is committed. */
export interface JournalCursor {
  readonly epoch: string | null;
  readonly upTo: number;
}

export interface JournalPlan {
  /** What is new, in order. */
  readonly entries: readonly JournalEntry[];
  readonly cursor: JournalCursor;
  /** Entries that will never come: `from` to `to`, both included. */
  readonly gap: { readonly from: number; readonly to: number } | null;
  /** Entries in between may still come: nothing was taken. */
  readonly waits: boolean;
}

/**
 * What of a message is new. Entries that were committed before change nothing. After a hole nothing is taken, since
 * an acknowledgement beyond it would make the device forget what is missing; the hole is real only before the oldest
 * entry that the device keeps. One that does not say which that is has nothing older when, asked again, it begins with
 * the same entry (`acceptGap`).
 */
export function planJournal(
  cursor: JournalCursor,
  message: Pick<JournalMessage, 'epoch' | 'oldest' | 'entries'>,
  acceptGap: boolean,
): JournalPlan {
  // A device that lost its disk begins a new journal at 1.
  const start: JournalCursor =
    cursor.epoch === message.epoch ? cursor : { epoch: message.epoch, upTo: 0 };
  const entries: JournalEntry[] = [];
  let { upTo } = start;
  let gap: JournalPlan['gap'] = null;
  const { oldest } = message;
  if (oldest !== undefined && oldest > upTo + 1) {
    gap = { from: upTo + 1, to: oldest - 1 };
    upTo = oldest - 1;
  }
  for (const entry of message.entries) {
    if (entry.seq <= upTo) continue;
    if (entry.seq > upTo + 1) {
      if (oldest !== undefined || !acceptGap) break;
      gap ??= { from: upTo + 1, to: entry.seq - 1 };
    }
    entries.push(entry);
    upTo = entry.seq;
  }
  const last = message.entries.at(-1);
  const waits = last !== undefined && last.seq > upTo;
  return waits && entries.length === 0
    ? { entries, cursor, gap: null, waits }
    : { entries, cursor: { epoch: message.epoch, upTo }, gap, waits };
}
