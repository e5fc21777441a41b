import type { AckMessage } from '@deviceportal/device-protocol/journal';

/** A longer pause is checked after this time, because another server may have newer information. */
const MAX_PAUSE_MS = 5_000;

/** Devices that must pause. What they send in the meantime is ignored and not acknowledged, so they send it again. */
export class JournalPauses {
  readonly #until = new Map<string, number>();

  update(
    { deviceId, waitMs }: Pick<AckMessage, 'waitMs'> & { readonly deviceId: string },
    nowMs: number,
  ): void {
    if (waitMs === undefined) this.#until.delete(deviceId);
    else this.#until.set(deviceId, nowMs + Math.min(waitMs, MAX_PAUSE_MS));
  }

  isPaused(deviceId: string, nowMs: number): boolean {
    const until = this.#until.get(deviceId);
    if (until === undefined) return false;
    if (nowMs < until) return true;
    this.#until.delete(deviceId);
    return false;
  }
}
