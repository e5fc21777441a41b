import type { AckMessage } from '@deviceportal/device-protocol/journal';
import type { ReceivedJournal } from './read-journal.ts';

interface OpenGap {
  readonly epoch: string;
  /** The oldest entry that the device has sent. */
  readonly firstSeq: number;
  readonly sinceMs: number;
}

/** Longer than a broker takes to redeliver, shorter than a device takes to resend. */
const PATIENCE_MS = 5_000;
const MAX_REMEMBERED = 10_000;

/**
 * Decides whether a gap in a journal can still be filled. A device sends all unacknowledged entries again, oldest
 * first: if it starts with the same entry again, it has nothing older.
 */
export class JournalGaps {
  readonly #patienceMs: number;
  readonly #gaps = new Map<string, OpenGap>();

  constructor(patienceMs: number = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  /** Whether nothing older than this message will arrive. */
  isPermanent({ instanceId, epoch, entries }: ReceivedJournal, nowMs: number): boolean {
    const gap = this.#gaps.get(instanceId);
    return (
      gap !== undefined &&
      gap.epoch === epoch &&
      gap.firstSeq === entries[0]?.seq &&
      nowMs - gap.sinceMs >= this.#patienceMs
    );
  }

  /** Records a message that follows a gap. */
  record({ instanceId, epoch, entries }: ReceivedJournal, nowMs: number): void {
    const firstSeq = entries[0]?.seq ?? 0;
    const gap = this.#gaps.get(instanceId);
    if (gap?.epoch === epoch && gap.firstSeq <= firstSeq) return;
    if (this.#gaps.size >= MAX_REMEMBERED) this.#gaps.clear();
    this.#gaps.set(instanceId, { epoch, firstSeq, sinceMs: nowMs });
  }

  closed({ instanceId, epoch, upTo }: AckMessage): void {
    const gap = this.#gaps.get(instanceId);
    if (gap && (gap.epoch !== epoch || upTo >= gap.firstSeq - 1)) this.#gaps.delete(instanceId);
  }
}
