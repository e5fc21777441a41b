import type { QueuePosition } from './claim-invocations.ts';

/** How far this server has walked the queues of open runs. Forgetting is safe: the walk begins at the start. */
export class QueuePositions {
  readonly #after = new Map<string, string | null>();
  readonly #late = new Map<string, Set<string>>();

  /** Everything may have changed: the next look begins at the start. */
  rewind(runId: string): void {
    this.#after.delete(runId);
    this.#late.delete(runId);
  }

  /** The walk may have passed these devices while they were away. */
  connected(runId: string, deviceIds: readonly string[]): void {
    const known = this.#late.get(runId) ?? new Set<string>();
    for (const deviceId of deviceIds) known.add(deviceId);
    this.#late.set(runId, known);
  }

  /** What to look at now; devices that connect from here on are kept for the next time. */
  take(runId: string): QueuePosition {
    const after = this.#after.get(runId) ?? null;
    if (!this.#after.has(runId) && this.#after.size >= MOST_RUNS) this.#after.clear();
    this.#after.set(runId, after);
    const late = [...(this.#late.get(runId) ?? [])];
    this.#late.delete(runId);
    return { after, late };
  }

  /** How far the look came; null where it did not come to look. Without effect on a run that was rewound meanwhile. */
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

const MOST_RUNS = 1_000;
