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
 * Starts loading the session, the code of the first page, and the rows of the device list before
 * the first render, so that slow machines render once. Never fails: screens load missing data
 * themselves.
 */
export async function loadFirstData(options: FirstDataOptions): Promise<void> {
  // Must be complete before the first render, because the router cannot use a partly loaded page.
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
