import type { QueuePosition } from './claim-invocations.ts';

/** How far this server has searched the queues of open runs. Positions can be dropped: the search then starts again. */
export class QueuePositions {
  readonly #after = new Map<string, string | null>();
  readonly #late = new Map<string, Set<string>>();

  /** The next search starts at the beginning of the queue. */
  rewind(runId: string): void {
    this.#after.delete(runId);
    this.#late.delete(runId);
  }

  /** Adds devices that the search may have passed while they were offline. */
  connected(runId: string, deviceIds: readonly string[]): void {
    const known = this.#late.get(runId) ?? new Set<string>();
    for (const deviceId of deviceIds) known.add(deviceId);
    this.#late.set(runId, known);
  }

  /** Position for the next search. Devices that connect from now on are kept for the following one. */
  take(runId: string): QueuePosition {
    const after = this.#after.get(runId) ?? null;
    if (!this.#after.has(runId) && this.#after.size >= MAX_RUNS) this.#after.clear();
    this.#after.set(runId, after);
    const late = [...(this.#late.get(runId) ?? [])];
    this.#late.delete(runId);
    return { after, late };
  }

  /** Stores how far the search came; null if it did not search. Ignored if the run was rewound since. */
  put(runId: string, { taken, reached }: Look): void {
    const { after, late } = reached ?? taken;
    if (late.length > 0) this.connected(runId, late);
    if (this.#after.has(runId)) this.#after.set(runId, after);
  }
}

interface Look {
  readonly taken: QueuePosition;
  readonly reached: QueuePosition | null;
}

const MAX_RUNS = 1_000;
