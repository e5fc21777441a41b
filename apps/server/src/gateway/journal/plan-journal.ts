import { costOf, GAP_COST, LOW_TOKENS, NEW_JOURNAL_COST } from './journal-quota.ts';
import type { ReceivedEntry, ReceivedJournal } from './read-journal.ts';

/** Up to where the journal of an instance is committed. */
export interface JournalCursor {
  readonly epoch: string | null;
  readonly upTo: number;
}

export interface JournalPlan {
  /** What is new, in order. */
  readonly entries: readonly ReceivedEntry[];
  readonly cursor: JournalCursor;
  /** Entries that will never come: `from` to `to`, both included. */
  readonly gap: { readonly from: number; readonly to: number } | null;
  /** Entries in between may still come: nothing was taken. */
  readonly waits: boolean;
  /** What it costs of the journal's quota. */
  readonly spent: number;
  /** What the quota would have to hold for the first thing that it does not reach for; null where it reaches for all. */
  readonly missing: number | null;
}

export interface PlanOptions {
  /** The device was asked again and has nothing older. */
  readonly acceptGap: boolean;
  /** What is left of the journal's quota. */
  readonly tokens: number;
}

/**
 * What of a message is new. Entries that were committed before change nothing. After a hole nothing is taken, since
 * an acknowledgement beyond it would make the device forget what is missing; the hole is real only before the oldest
 * entry that the device keeps. One that does not say which that is has nothing older when, asked again, it begins with
 * the same entry (`acceptGap`). What the quota does not reach for is not taken, and so not lost: the device keeps it.
 */
export function planJournal(
  cursor: JournalCursor,
  message: Pick<ReceivedJournal, 'epoch' | 'oldest' | 'entries'>,
  { acceptGap, tokens }: PlanOptions,
): JournalPlan {
  const purse = new Purse(tokens);
  const entries: ReceivedEntry[] = [];
  let { upTo, gap } = begin(cursor, message, purse);
  for (const entry of purse.missing === null ? message.entries : []) {
    if (entry.seq <= upTo) continue;
    const isAfterHole = entry.seq > upTo + 1;
    if (isAfterHole && (message.oldest !== undefined || !acceptGap)) break;
    if (!purse.pay(costOf(entry) + (isAfterHole ? GAP_COST : 0))) break;
    if (isAfterHole) gap ??= { from: upTo + 1, to: entry.seq - 1 };
    entries.push(entry);
    upTo = entry.seq;
  }
  const { missing } = purse;
  const isBehind = upTo < (message.entries.at(-1)?.seq ?? 0);
  // What stands before may have been held back for want of tokens: the device sends it again by itself.
  const waits = isBehind && missing === null && purse.left >= LOW_TOKENS;
  return isBehind && entries.length === 0
    ? { entries, cursor, gap: null, waits, spent: 0, missing }
    : { entries, cursor: { epoch: message.epoch, upTo }, gap, waits, spent: purse.spent, missing };
}

/** A device that lost its disk begins a new journal at 1; one that lost entries says which is its oldest. */
function begin(
  cursor: JournalCursor,
  { epoch, oldest }: Pick<ReceivedJournal, 'epoch' | 'oldest'>,
  purse: Purse,
): Pick<JournalCursor, 'upTo'> & Pick<JournalPlan, 'gap'> {
  const isNew = cursor.epoch !== epoch;
  const upTo = isNew ? 0 : cursor.upTo;
  if (isNew && cursor.epoch !== null) purse.pay(NEW_JOURNAL_COST);
  if (oldest === undefined || oldest <= upTo + 1 || !purse.pay(GAP_COST))
    return { upTo, gap: null };
  return { upTo: oldest - 1, gap: { from: upTo + 1, to: oldest - 1 } };
}

/** Pays in order: once something is too dear, nothing after it is bought. */
class Purse {
  readonly #tokens: number;
  spent = 0;
  /** How many tokens all would have taken up to the first that was too dear; null where nothing was. */
  missing: number | null = null;

  constructor(tokens: number) {
    this.#tokens = tokens;
  }

  get left(): number {
    return this.#tokens - this.spent;
  }

  pay(cost: number): boolean {
    if (this.missing !== null) return false;
    if (cost > this.left) {
      this.missing = this.spent + cost;
      return false;
    }
    this.spent += cost;
    return true;
  }
}
