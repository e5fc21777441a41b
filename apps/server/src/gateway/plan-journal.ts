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
 * an acknowledgement beyond it would make the device forget what is missing; only when the device, asked again, has
 * nothing older (`acceptGap`), the hole is real.
 */
export function planJournal(
  cursor: JournalCursor,
  message: Pick<JournalMessage, 'epoch' | 'entries'>,
  acceptGap: boolean,
): JournalPlan {
  // A device that lost its disk begins a new journal at 1.
  const start: JournalCursor =
    cursor.epoch === message.epoch ? cursor : { epoch: message.epoch, upTo: 0 };
  const entries: JournalEntry[] = [];
  let { upTo } = start;
  let gap: JournalPlan['gap'] = null;
  for (const entry of message.entries) {
    if (entry.seq <= upTo) continue;
    if (entry.seq > upTo + 1) {
      if (!acceptGap) break;
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
