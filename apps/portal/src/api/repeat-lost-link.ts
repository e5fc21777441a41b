import type { TRPCClientError, TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import { RETRY_ATTEMPTS } from '@deviceportal/contract/constants';
import { isRepeatable } from '@deviceportal/contract/repeatable-mutations';
import type { AppRouter } from './app-router.ts';
import { OUTCOME_UNKNOWN, portalErrorOf } from './portal-error-of.ts';

const FIRST_WAIT_MS = 1_000;
/** What a proxy responds when the server behind it has gone. */
const GONE = new Set([502, 503, 504]);

/**
 * Repeats a mutation whose response was lost, as when a server ends while it works, if a repetition
 * changes nothing more. Any other mutation could be carried out twice, so its error says that the
 * outcome is unknown.
 * Queries are repeated by the query client.
 */
export const repeatLostLink: TRPCLink<AppRouter> = () => {
  return ({ op, next }) =>
    observable((observer) => {
      const isSafe = isRepeatable(op.path, op.input);
      let tries = 1;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let subscription: Unsubscribable | undefined;
      const onError = (error: TRPCClientError<AppRouter>): void => {
        const isCalledOff = op.signal?.aborted === true;
        if (op.type !== 'mutation' || isCalledOff || !isLost(error)) {
          observer.error(error);
          return;
        }
        if (!isSafe || tries >= RETRY_ATTEMPTS) {
          error.meta = { ...error.meta, [OUTCOME_UNKNOWN]: true };
          observer.error(error);
          return;
        }
        timer = setTimeout(send, FIRST_WAIT_MS * 2 ** (tries - 1));
        tries += 1;
      };
      function send(): void {
        subscription = next(op).subscribe({
          next: (value) => observer.next(value),
          error: onError,
          complete: () => observer.complete(),
        });
      }
      send();
      return () => {
        clearTimeout(timer);
        subscription?.unsubscribe();
      };
    });
};

/** Without a response of the portal, the call may or may not have been carried out. */
function isLost(error: TRPCClientError<AppRouter>): boolean {
  const { name, httpStatus } = portalErrorOf(error);
  return name === 'noConnection' || GONE.has(httpStatus ?? 0);
}
