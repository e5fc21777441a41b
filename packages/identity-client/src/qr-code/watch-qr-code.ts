import { sleep } from '../core/clock.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { checkQrCode, QrCodeState, type QrCodeStatus } from './qr-code-calls.ts';

/** Time from one answer to the next question. */
export const POLL_MS = 800;
const GOES_ON = new Set<number>([QrCodeState.WAITING, QrCodeState.SCANNED]);

/**
 * What a code is in, again and again, until that is final. A question is asked when the one before was answered, so a
 * slow network never brings an end twice.
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
