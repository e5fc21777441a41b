import { createRouter } from '@tanstack/react-router';
import { PendingPage } from './pending-page.tsx';
import { RouteError } from './route-error.tsx';
import { routeTree } from './route-tree.ts';

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadDelay: 80,
  defaultPendingMs: 1_000,
  defaultPendingComponent: PendingPage,
  defaultErrorComponent: RouteError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
