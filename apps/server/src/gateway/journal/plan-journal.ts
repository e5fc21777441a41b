import { costOf, GAP_COST, LOW_TOKENS, NEW_JOURNAL_COST } from './journal-quota.ts';
import type { ReceivedEntry, ReceivedJournal } from './read-journal.ts';

/** The last committed entry of the journal of an instance. */
export interface JournalCursor {
  readonly epoch: string | null;
  readonly upTo: number;
}

export interface JournalPlan {
  /** New entries, in order. */
  readonly entries: readonly ReceivedEntry[];
  readonly cursor: JournalCursor;
  /** Entries that will never arrive: `from` to `to`, both inclusive. */
  readonly gap: { readonly from: number; readonly to: number } | null;
  /** Entries in between may still arrive: nothing was applied. */
  readonly waits: boolean;
  /** Cost, in tokens of the journal's quota. */
  readonly spent: number;
  /** Tokens that the quota needs for the first item that it does not cover; null if it covers all. */
  readonly missing: number | null;
}

export interface PlanOptions {
  /** The device sent the same messages again and has nothing older. */
  readonly acceptGap: boolean;
  /** Remaining tokens of the journal's quota. */
  readonly tokens: number;
}

/**
 * Determines the new entries of a message. Entries that were committed before are ignored. Nothing after a gap is
 * applied, because an acknowledgement beyond it would make the device discard what is missing. A gap is accepted only
 * before the oldest entry that the device keeps. A device that does not report its oldest entry has nothing older if
 * it starts with the same entry when it sends again (`acceptGap`). Entries beyond the quota are not applied; the
 * device keeps them.
 */
export function planJournal(
  cursor: JournalCursor,
  message: Pick<ReceivedJournal, 'epoch' | 'oldest' | 'entries'>,
  { acceptGap, tokens }: PlanOptions,
): JournalPlan {
  const budget = new TokenBudget(tokens);
  const entries: ReceivedEntry[] = [];
  let { upTo, gap } = begin(cursor, message, budget);
  for (const entry of budget.missing === null ? message.entries : []) {
    if (entry.seq <= upTo) continue;
    const isAfterGap = entry.seq > upTo + 1;
    if (isAfterGap && (message.oldest !== undefined || !acceptGap)) break;
    if (!budget.pay(costOf(entry) + (isAfterGap ? GAP_COST : 0))) break;
    if (isAfterGap) gap ??= { from: upTo + 1, to: entry.seq - 1 };
    entries.push(entry);
    upTo = entry.seq;
  }
  const { missing } = budget;
  const isBehind = upTo < (message.entries.at(-1)?.seq ?? 0);
  // Earlier entries may have been held back for lack of tokens: the device sends them again itself.
  const waits = isBehind && missing === null && budget.left >= LOW_TOKENS;
  return isBehind && entries.length === 0
    ? { entries, cursor, gap: null, waits, spent: 0, missing }
    : { entries, cursor: { epoch: message.epoch, upTo }, gap, waits, spent: budget.spent, missing };
}

/** A device that lost its disk starts a new journal at 1; one that lost entries reports its oldest. */
function begin(
  cursor: JournalCursor,
  { epoch, oldest }: Pick<ReceivedJournal, 'epoch' | 'oldest'>,
  budget: TokenBudget,
): Pick<JournalCursor, 'upTo'> & Pick<JournalPlan, 'gap'> {
  const isNew = cursor.epoch !== epoch;
  const upTo = isNew ? 0 : cursor.upTo;
  if (isNew && cursor.epoch !== null) budget.pay(NEW_JOURNAL_COST);
  if (oldest === undefined || oldest <= upTo + 1 || !budget.pay(GAP_COST))
    return { upTo, gap: null };
  return { upTo: oldest - 1, gap: { from: upTo + 1, to: oldest - 1 } };
}

/** Spends tokens in order: after the first item that it does not cover, nothing more is spent. */
class TokenBudget {
  readonly #tokens: number;
  spent = 0;
  /** Tokens that all items up to the first uncovered one need; null if there is none. */
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
