import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { plainText } from '../output/plain-text.ts';
import type { Codes, OAuthClient } from './oauth-client.ts';

const SLOWER_SECONDS = 5;
const LONGEST_INTERVAL_SECONDS = 60;

/**
 * Asks for the token until a user has approved (RFC 8628, section 3.5). A lost connection is no end: the interval doubles.
 * @throws CliError if the sign-in was denied, or the code has expired
 */
export async function waitForApproval(oauth: OAuthClient, codes: Codes): Promise<string> {
  const endsAt = Date.now() + codes.expires_in * 1_000;
  let seconds = codes.interval;
  while (Date.now() < endsAt) {
    await sleep(seconds * 1_000);
    const {
      access_token: token,
      error,
      error_description: reason,
    } = await oauth.ask(codes.device_code).catch((thrown: unknown) => {
      if (thrown instanceof CliError && thrown.exitCode === exitCodes.unavailable) {
        return { access_token: undefined, error: 'unreachable', error_description: undefined };
      }
      throw thrown;
    });
    if (token !== undefined) return token;
    if (error === 'authorization_pending') continue;
    if (error === 'slow_down') {
      seconds += SLOWER_SECONDS;
      continue;
    }
    if (
      error === 'unreachable' ||
      error === 'temporarily_unavailable' ||
      error?.startsWith('status 5')
    ) {
      seconds = Math.min(LONGEST_INTERVAL_SECONDS, seconds * 2);
      continue;
    }
    if (error === 'expired_token') break;
    throw new CliError(`The sign-in ended: ${plainText(reason ?? error ?? 'no token')}`, {
      exitCode: error === 'access_denied' ? exitCodes.denied : exitCodes.rejected,
    });
  }
  throw new CliError('The code has expired. Start the sign-in again.', {
    exitCode: exitCodes.rejected,
  });
}
