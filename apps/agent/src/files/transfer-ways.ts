/** How content is sent and fetched, and what is tried again. */

import { pause } from '../machine/pause.ts';
import { FileRefused } from './file-refused.ts';

export interface TransferWays {
  readonly fetch: typeof fetch;
  /** Base of the links. */
  readonly serverUrl: () => string;
  readonly signal: AbortSignal;
  readonly firstWaitMs?: number;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** Failures one after the other. Progress in between begins the count again. */
const ATTEMPTS = 12;
const TIMEOUT = 408;
const TOO_MANY = 429;

/**
 * Calls until it succeeds, with waits after lost connections and busy servers.
 * @param progress changes whenever an attempt has moved forward
 */
export async function withRetries<Result>(
  { signal, firstWaitMs = FIRST_WAIT_MS }: Pick<TransferWays, 'signal' | 'firstWaitMs'>,
  progress: () => number,
  attempt: () => Promise<Result>,
): Promise<Result> {
  let failures = 0;
  for (;;) {
    const before = progress();
    try {
      return await attempt();
    } catch (error) {
      failures = progress() > before ? 1 : failures + 1;
      if (signal.aborted || (canPass(error) && failures >= ATTEMPTS))
        throw new FileRefused('transfer');
      if (!canPass(error)) throw error;
      await pause(Math.min(firstWaitMs * 2 ** (failures - 1), LONGEST_WAIT_MS), signal);
    }
  }
}

/** A failure that can pass. */
class TryAgain extends Error {}

/** What `fetch` throws without an answer, or when an answer ends early. */
const canPass = (error: unknown): boolean =>
  error instanceof TryAgain || error instanceof TypeError || error instanceof SyntaxError;

/** @throws FileRefused for a final answer, otherwise an error that is tried again */
export async function requireOk(response: Response): Promise<void> {
  const { ok, status } = response;
  if (ok) return;
  await response.body?.cancel();
  if (status >= 500 || status === TIMEOUT || status === TOO_MANY)
    throw new TryAgain(`the server returned HTTP ${status}`);
  throw new FileRefused('failed');
}
