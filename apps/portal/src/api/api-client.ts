import { createTRPCClient, httpBatchLink, type TRPCClient } from '@trpc/client';
import superjson from 'superjson';
import { API_PATH, CASE_HEADER } from '@deviceportal/contract/constants';
import type { AppRouter } from './app-router.ts';
import { askAgainLink } from './ask-again-link.ts';
import { errorLogLink } from './error-log-link.ts';
import { createPortalFetch, type PortalFetchOptions } from './portal-fetch.ts';

export interface ApiClientOptions extends PortalFetchOptions {
  /** The current id token, refreshed first where it must be; rejects with 2001 without a session. */
  readonly idToken: () => Promise<string>;
  /** The case in which one works now; what is done is bound to it. */
  readonly caseId?: () => string | null;
  readonly url?: string;
}

/**
 * The product API's client (docs/design/portal.md, section 7): errors logged, bearer id token of a fresh session, one
 * batched endpoint without URL limit, queries by GET, mutations by POST, superjson, no subscriptions.
 */
export function createApiClient(options: ApiClientOptions): TRPCClient<AppRouter> {
  return createTRPCClient<AppRouter>({
    links: [
      errorLogLink,
      askAgainLink,
      httpBatchLink({
        url: options.url ?? API_PATH,
        transformer: superjson,
        maxURLLength: Number.POSITIVE_INFINITY,
        headers: async () => {
          const caseId = options.caseId?.() ?? null;
          return {
            authorization: `bearer ${await options.idToken()}`,
            ...(caseId === null ? {} : { [CASE_HEADER]: caseId }),
          };
        },
        fetch: createPortalFetch(options),
      }),
    ],
  });
}
