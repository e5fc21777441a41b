import { sleep } from '../core/clock.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { checkQrCode, QrCodeState, type QrCodeStatus } from './qr-code-calls.ts';

/** Delay between a response and the next request. */
export const POLL_MS = 800;
const GOES_ON = new Set<number>([QrCodeState.WAITING, QrCodeState.SCANNED]);

/**
 * Polls the state of a code until it is final. Requests never overlap, so a slow network cannot
 * report a final state twice.
 */
export async function* watchQrCode(
  client: IdentityClient,
  random: string,
  { interval = POLL_MS, signal }: CallOptions & { readonly interval?: number | undefined } = {},
): AsyncGenerator<QrCodeStatus, void> {
  for (;;) {
    await sleep(client.clock, interval, signal);
    const status = await checkQrCode(client, random, { signal });
    yield status;
    if (!GOES_ON.has(status.status)) return;
  }
}
