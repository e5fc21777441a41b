import type { TRPCClientError, TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import type { StepUpPurpose } from '@deviceportal/contract/step-up';
import type { AppRouter } from './app-router.ts';
import { portalErrorOf } from './portal-error-of.ts';

/** A call that waits until the user has confirmed their identity, or has declined. */
export interface StepUpWait {
  readonly purpose: StepUpPurpose;
  readonly onConfirmed: () => void;
  readonly onDeclined: () => void;
}

/** Asks the user to confirm. @returns a function for a call that no longer waits */
export type AskForStepUp = (wait: StepUpWait) => () => void;

/**
 * Repeats a call that requires a fresh second step after the user has confirmed. The screen that made
 * the call waits as for a slow response; of a batch, only the rejected calls are repeated.
 */
export const createStepUpLink =
  (ask: AskForStepUp): TRPCLink<AppRouter> =>
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let leave: (() => void) | undefined;
      let decline: (() => void) | undefined;
      let subscription: Unsubscribable | undefined;
      const onError = (error: TRPCClientError<AppRouter>): void => {
        const { reason, facts } = portalErrorOf(error);
        if (reason !== 'step-up-required' || op.signal?.aborted === true) {
          observer.error(error);
          return;
        }
        decline = () => observer.error(error);
        leave = ask({
          purpose: facts['purpose'] as StepUpPurpose,
          onConfirmed: send,
          onDeclined: decline,
        });
      };
      function send(): void {
        decline = undefined;
        subscription = next(op).subscribe({
          next: (value) => observer.next(value),
          error: onError,
          complete: () => observer.complete(),
        });
      }
      const onAbort = (): void => {
        leave?.();
        decline?.();
      };
      op.signal?.addEventListener('abort', onAbort);
      send();
      return () => {
        op.signal?.removeEventListener('abort', onAbort);
        leave?.();
        subscription?.unsubscribe();
      };
    });
