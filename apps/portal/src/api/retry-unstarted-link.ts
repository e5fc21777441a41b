import type { TRPCClientError, TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import { retryAfterMsOf } from '@deviceportal/contract/over-budget';
import type { AppRouter } from './app-router.ts';
import { portalErrorOf } from './portal-error-of.ts';

const MOST_AT_ONCE = 100;
const MOST_TRIES = 30;
const SHORTEST_WAIT_MS = 50;

/**
 * Retries calls that the server did not start because their batch was too large. Concurrent retries
 * are limited, so that they do not form the same batch again.
 */
export const retryUnstartedLink: TRPCLink<AppRouter> = () => {
  const waiting = new Set<() => void>();
  let running = 0;
  const startNext = (): void => {
    for (const start of waiting) {
      if (running >= MOST_AT_ONCE) return;
      waiting.delete(start);
      running += 1;
      start();
    }
  };
  return ({ op, next }) =>
    observable((observer) => {
      let tries = 1;
      let isAgain = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let subscription: Unsubscribable | undefined;
      const leave = (): void => {
        if (isAgain) running -= 1;
        isAgain = false;
        startNext();
      };
      const again = (): void => {
        isAgain = true;
        send();
      };
      const onError = (error: TRPCClientError<AppRouter>): void => {
        leave();
        const waitMs = retryAfterMsOf(portalErrorOf(error).facts);
        if (waitMs === undefined || tries >= MOST_TRIES) {
          observer.error(error);
          return;
        }
        tries += 1;
        timer = setTimeout(
          () => {
            waiting.add(again);
            startNext();
          },
          Math.max(waitMs, SHORTEST_WAIT_MS),
        );
      };
      function send(): void {
        subscription = next(op).subscribe({
          next: (value) => observer.next(value),
          error: onError,
          complete() {
            leave();
            observer.complete();
          },
        });
      }
      send();
      return () => {
        clearTimeout(timer);
        waiting.delete(again);
        subscription?.unsubscribe();
        leave();
      };
    });
};
