import type { AckMessage } from '@deviceportal/device-protocol/journal';

/** Longer is looked at again: another server may know better. */
const MOST_REST_MS = 5_000;

/**
 * Devices that were told to wait. What they send meanwhile is not looked at: it is not acknowledged, so it comes again.
 */
export class JournalRests {
  readonly #until = new Map<string, number>();

  told(
    { deviceId, waitMs }: Pick<AckMessage, 'waitMs'> & { readonly deviceId: string },
    nowMs: number,
  ): void {
    if (waitMs === undefined) this.#until.delete(deviceId);
    else this.#until.set(deviceId, nowMs + Math.min(waitMs, MOST_REST_MS));
  }

  isResting(deviceId: string, nowMs: number): boolean {
    const until = this.#until.get(deviceId);
    if (until === undefined) return false;
    if (nowMs < until) return true;
    this.#until.delete(deviceId);
    return false;
  }
}
