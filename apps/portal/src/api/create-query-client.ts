import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { RETRY_ATTEMPTS, RETRY_BACKOFF_CAP_MS } from '@deviceportal/contract/constants';
import { defaultRefreshMs } from '../live/refresh-policy.ts';
import { portalErrorOf, type ClientError } from './portal-error-of.ts';

/** Codes that a retry can resolve: unknown error, server unavailable, no connection. */
const RETRIED = new Set([-1, 2000, 2002]);

function shouldRetry(failureCount: number, error: unknown): boolean {
  const { code, unreadable } = portalErrorOf(error);
  return failureCount < RETRY_ATTEMPTS - 1 && RETRIED.has(code) && !unreadable;
}

/** 1 s, 2 s, 4 s …, at most 20 s. */
function retryDelayMs(failureCount: number): number {
  return Math.min(1_000 * 2 ** failureCount, RETRY_BACKOFF_CAP_MS);
}

/**
 * Queries are tried up to three times. Mutations are not retried here, because a change could be
 * made twice: `repeatLostLink` repeats those for which it cannot.
 */
export function createQueryClient(onError: (error: ClientError) => void): QueryClient {
  const report = (error: unknown): void => onError(portalErrorOf(error));
  return new QueryClient({
    queryCache: new QueryCache({ onError: report }),
    mutationCache: new MutationCache({ onError: report }),
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay: retryDelayMs,
        staleTime: 5_000,
        refetchOnWindowFocus: true,
        refetchInterval: defaultRefreshMs,
        refetchIntervalInBackground: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
