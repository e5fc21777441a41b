import type { AckMessage } from '@deviceportal/device-protocol/journal';
import type { ReceivedJournal } from './read-journal.ts';

interface WaitingHole {
  readonly epoch: string;
  /** The oldest entry that the device has shown. */
  readonly firstSeq: number;
  readonly sinceMs: number;
}

/** Longer than a broker takes to deliver twice, shorter than a device takes to send again. */
const PATIENCE_MS = 5_000;
const MAX_REMEMBERED = 10_000;

/**
 * Tells a hole in a journal that will fill from one that will not. A device sends everything that is not
 * acknowledged again, oldest first: when it begins with the same entry again, it has nothing older.
 */
export class JournalGaps {
  readonly #patienceMs: number;
  readonly #holes = new Map<string, WaitingHole>();

  constructor(patienceMs: number = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  /** Whether nothing older than this message will come. */
  isReal({ instanceId, epoch, entries }: ReceivedJournal, nowMs: number): boolean {
    const hole = this.#holes.get(instanceId);
    return (
      hole !== undefined &&
      hole.epoch === epoch &&
      hole.firstSeq === entries[0]?.seq &&
      nowMs - hole.sinceMs >= this.#patienceMs
    );
  }

  /** A message stands after a hole. */
  saw({ instanceId, epoch, entries }: ReceivedJournal, nowMs: number): void {
    const firstSeq = entries[0]?.seq ?? 0;
    const hole = this.#holes.get(instanceId);
    if (hole?.epoch === epoch && hole.firstSeq <= firstSeq) return;
    if (this.#holes.size >= MAX_REMEMBERED) this.#holes.clear();
    this.#holes.set(instanceId, { epoch, firstSeq, sinceMs: nowMs });
  }

  closed({ instanceId, epoch, upTo }: AckMessage): void {
    const hole = this.#holes.get(instanceId);
    if (hole && (hole.epoch !== epoch || upTo >= hole.firstSeq - 1)) this.#holes.delete(instanceId);
  }
}
