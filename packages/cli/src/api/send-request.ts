import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';

export interface SentRequest {
  readonly url: string;
  readonly init: RequestInit;
  /** Whether a repeated request has no further effect, so that it can be sent again after a failure. */
  readonly isRepeatable: boolean;
}

export interface Answer {
  readonly status: number;
  /** Undefined if the body is not JSON. */
  readonly body: unknown;
}

const TRIES = 4;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
const TIMEOUT_MS = 60_000;
const temporary: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Sends a request, and repeats it after temporary failures. Redirects are not followed: a token is for one portal only.
 * @throws CliError without a response
 */
export async function sendRequest({ url, init, isRepeatable }: SentRequest): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = !isRepeatable || attempt >= TRIES;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(url, { ...init, signal, redirect: 'manual' });
      if (isLast || !temporary.has(response.status)) return await readAnswer(response, url);
      await response.body?.cancel();
      await sleep(retryAfterMs(response.headers) ?? pauseMs);
    } catch (cause) {
      if (isLast || cause instanceof CliError) throw unreachable(url, cause);
      await sleep(pauseMs);
    }
  }
}

async function readAnswer(response: Response, url: string): Promise<Answer> {
  const { status } = response;
  if (status >= 300 && status < 400) {
    const location = response.headers.get('location') ?? 'another address';
    throw new CliError(`${new URL(url).origin} redirects to ${location}. Sign in there instead.`, {
      exitCode: exitCodes.unexpected,
    });
  }
  const text = await response.text();
  try {
    return { status, body: JSON.parse(text) as unknown };
  } catch {
    return { status, body: undefined };
  }
}

function retryAfterMs(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(LONGEST_PAUSE_MS, seconds * 1_000) : undefined;
}

function unreachable(url: string, cause: unknown): CliError {
  if (cause instanceof CliError) return cause;
  const { cause: reason } = cause as { readonly cause?: { readonly code?: string } };
  const detail = reason?.code ?? (cause as Error).name;
  return new CliError(`The portal at ${new URL(url).origin} cannot be reached (${detail}).`, {
    ...{ exitCode: exitCodes.unavailable, cause },
  });
}
