import { createTRPCContext, type TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { useMemo } from 'react';
import { abortOnUnmountEverywhere } from './abort-on-unmount.ts';
import type { AppRouter } from './app-router.ts';

const context = createTRPCContext<AppRouter>();

export const ApiProvider = context.TRPCProvider;

/**
 * The API as TanStack Query options: `useQuery(api.devices.list.queryOptions(input))`,
 * `useMutation(api.devices.update.mutationOptions())`,
 * `queryClient.invalidateQueries(api.devices.pathFilter())`. Requests are aborted when their screen
 * unmounts.
 */
export function useApi(): TRPCOptionsProxy<AppRouter> {
  const api = context.useTRPC();
  return useMemo(() => abortOnUnmountEverywhere(api), [api]);
}

/** The plain client, for calls outside a query (`await client.devices.export.query(…)`). */
export const useApiClient = context.useTRPCClient;

export type ApiInputs = inferRouterInputs<AppRouter>;
export type ApiOutputs = inferRouterOutputs<AppRouter>;
