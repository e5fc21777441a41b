import { setImmediate as nextTurn } from 'node:timers/promises';

/** Other work gets time after so long. */
const TURN_MS = 10;

/** A turn of the event loop in work that is done in many small parts. */
export class Turn {
  #startedMs = performance.now();

  /** Call after each part: lets other work run if this turn has taken its time. */
  async pause(): Promise<void> {
    if (performance.now() - this.#startedMs < TURN_MS) return;
    await nextTurn();
    this.#startedMs = performance.now();
  }
}
