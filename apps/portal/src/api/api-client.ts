import { createTRPCClient, httpBatchLink, type TRPCClient } from '@trpc/client';
import superjson from 'superjson';
import { API_PATH, CASE_HEADER } from '@deviceportal/contract/constants';
import type { AppRouter } from './app-router.ts';
import { repeatLostLink } from './repeat-lost-link.ts';
import { retryUnstartedLink } from './retry-unstarted-link.ts';
import { createStepUpLink, type AskForStepUp } from './step-up-link.ts';
import { errorLogLink } from './error-log-link.ts';
import { createPortalFetch, type PortalFetchOptions } from './portal-fetch.ts';

export interface ApiClientOptions extends PortalFetchOptions {
  /** The current ID token, refreshed if necessary. Rejects with 2001 without a session. */
  readonly idToken: () => Promise<string>;
  /** The ID of the case that the viewer is working on. Requests are recorded in it. */
  readonly caseId?: () => string | null;
  /** Asks for a fresh second step of the session. */
  readonly askForStepUp: AskForStepUp;
  readonly url?: string;
}

/**
 * The client of the product API (docs/design/portal.md, section 7): logs errors, sends the ID token
 * as bearer token, and batches calls without a URL limit. Queries use GET, mutations POST; the
 * transformer is superjson; there are no subscriptions.
 */
export function createApiClient(options: ApiClientOptions): TRPCClient<AppRouter> {
  return createTRPCClient<AppRouter>({
    links: [
      errorLogLink,
      createStepUpLink(options.askForStepUp),
      repeatLostLink,
      retryUnstartedLink,
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
