import type { TRPCLink } from '@trpc/client';
import { tap } from '@trpc/server/observable';
import type { AppRouter } from './app-router.ts';

/** Logs error responses only (docs/design/portal.md, section 7). Inputs are not logged. */
export const errorLogLink: TRPCLink<AppRouter> = () => (operation) =>
  operation.next(operation.op).pipe(
    tap({
      error(error) {
        if (operation.op.signal?.aborted) return;
        console.error(`${operation.op.type} ${operation.op.path}: ${error.message}`);
      },
    }),
  );
