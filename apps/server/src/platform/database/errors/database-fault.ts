import { DrizzleQueryError } from 'drizzle-orm';
import { sqlStateOf } from './data-exception.ts';

const TRANSIENT_CLASSES = ['08', '53', '57', '58', '40', '55'];
/** Errors of `pg` that have no code. */
const LOST_CONNECTION =
  /Connection terminated|timeout exceeded|pool after calling end|Client has encountered|Client was closed/i;

/**
 * Whether a retry can succeed: the database is unavailable, full, or restarting, or transactions
 * conflicted (PostgreSQL, appendix A: classes 08, 40, 53, 55, 57, 58). All other errors are caused
 * by the data.
 */
export function isTransientFault(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined) return TRANSIENT_CLASSES.includes(state.slice(0, 2));
  for (
    let cause = error, depth = 0;
    cause instanceof Error && depth < 5;
    cause = cause.cause, depth += 1
  ) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && code.startsWith('E')) return true;
    // Drizzle's message contains the values of the statement, which devices and users choose.
    if (!(cause instanceof DrizzleQueryError) && LOST_CONNECTION.test(cause.message)) return true;
  }
  return false;
}

export interface RetryOptions {
  readonly signal: AbortSignal;
  readonly onFault: (error: unknown) => void;
}

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;

/**
 * Retries the work while the database is unavailable.
 * @throws errors that are not transient, or the signal's reason
 */
export async function retryWhileAway<Result>(
  work: () => Promise<Result>,
  { signal, onFault }: RetryOptions,
): Promise<Result> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isTransientFault(error)) throw error;
      onFault(error);
      await pause(waitMs, signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
