import { FEDERATED_REFRESH_RETRY_MS } from '@deviceportal/contract/constants';
import { classifyFailure } from './identity-pool-client.ts';

export interface FederatedRefreshOptions {
  readonly nowMs: () => number;
  readonly sleep: (delayMs: number) => Promise<void>;
  /** 0 … 1. */
  readonly random: () => number;
}

const BASE_DELAY_MS = 100;

/**
 * Our own implementation: jitteredExponentialRetry of @aws-amplify/core limits each pause to 10 s
 * (12.7 s in total), not the total.
 *
 * Refreshes the login for which credentials are requested. Retried for up to 10 s while the
 * provider is unreachable (docs/design/portal.md, section 9), with exponential back-off and jitter.
 * A rejection is final.
 */
export function createFederatedRefresh({ nowMs, sleep, random }: FederatedRefreshOptions) {
  return async <Login>(refresh: () => Promise<Login>): Promise<Login> => {
    const startedAtMs = nowMs();
    for (let tries = 0; ; tries += 1) {
      try {
        return await refresh();
      } catch (error) {
        const delayMs = 2 ** tries * BASE_DELAY_MS + random() * BASE_DELAY_MS;
        const isOver = nowMs() + delayMs - startedAtMs > FEDERATED_REFRESH_RETRY_MS;
        if (isOver || classifyFailure(error) === 'final') throw error;
        await sleep(delayMs);
      }
    }
  };
}
