import type { QueryClient } from '@tanstack/react-query';
import type { TRPCClient } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../api/app-router.ts';
import { adoptPreferences } from '../ui/preferences-store.ts';
import { PENDING_AFTER_MS, router } from './router.ts';
import { SESSION_FRESH_MS } from '../session/session-fresh-ms.ts';

export interface FirstDataOptions {
  readonly client: TRPCClient<AppRouter>;
  readonly queryClient: QueryClient;
}

const waited = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const loadDevices = () => import('../devices/list/first-device-page.ts');

/**
 * Who is signed in, the first page's code and, where the page is the list of devices, its rows: under way before
 * anything is drawn, so that a slow machine draws the page once. Never fails: the screen asks again for what is missing.
 */
export async function loadFirstData(options: FirstDataOptions): Promise<void> {
  // Whole before the first drawing: the router takes no page over that is half loaded.
  const page = router.load().catch(() => undefined);
  await loadSession(options);
  await page;
}

async function loadSession({ client, queryClient }: FirstDataOptions): Promise<void> {
  const match = router
    .matchRoutes(router.latestLocation)
    .find(({ routeId }) => routeId === '/devices');
  const devices = match === undefined ? undefined : loadDevices().catch(() => undefined);
  const api = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
  const session = api.session.get.queryOptions(undefined, { staleTime: SESSION_FRESH_MS });
  await queryClient.prefetchQuery(session);
  const detail = queryClient.getQueryData(session.queryKey);
  if (detail === undefined) return;
  adoptPreferences(detail.preferences, (changed) => client.session.savePreferences.mutate(changed));
  if (match === undefined) return;
  const rows = (await devices)?.loadFirstDevicePage(api, queryClient, match.search);
  await Promise.race([rows, waited(PENDING_AFTER_MS)]);
}
