import { createRouter } from '@tanstack/react-router';
import { PendingPage } from '../ui/pending-page.tsx';
import { RouteError } from './route-error.tsx';
import { routeTree } from './route-tree.ts';

/** Milliseconds before a pending indicator is shown. */
export const PENDING_AFTER_MS = 1_000;

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadDelay: 80,
  defaultPendingMs: PENDING_AFTER_MS,
  defaultPendingComponent: PendingPage,
  defaultErrorComponent: RouteError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
