import type { Fetcher } from 'aws-jwt-verify/https';
import type { TokenFault } from '@deviceportal/contract/session-refusals';
import { TokenRefusal } from '@deviceportal/identity/token-refusal';

/** docs/design/sign-in.md, section 9. */
const RESPONSE_TIMEOUT_MS = 3_000;

export interface KeySetFetcherOptions {
  readonly fetch: typeof globalThis.fetch;
  /** For the whole response including its body. Default 3000. */
  readonly timeoutMs?: number;
}

/**
 * Fetches a key set over HTTP or HTTPS (the library's own fetcher accepts only HTTPS): status 200, a JSON content
 * type, 429 reported as such, no redirect, and one retry when no status was received (docs/design/sign-in.md, section
 * 7).
 */
export function createKeySetFetcher({
  fetch,
  timeoutMs = RESPONSE_TIMEOUT_MS,
}: KeySetFetcherOptions): Fetcher {
  const attempt = async (url: string): Promise<ArrayBuffer> => {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    requireKeySet(response, url);
    return response.arrayBuffer();
  };
  return {
    async fetch(url) {
      try {
        return await attempt(url);
      } catch (error) {
        if (error instanceof TokenRefusal) throw error;
        return attempt(url).catch((again: unknown) => {
          throw again instanceof TokenRefusal ? again : failed(url, again);
        });
      }
    },
  };
}

/** A key set of this process, behind the same interface. */
export function createInProcessFetcher(readKeySet: () => Promise<unknown>): Fetcher {
  return {
    async fetch(url) {
      const keySet = await readKeySet().catch((error: unknown) => {
        throw failed(url, error);
      });
      return new TextEncoder().encode(JSON.stringify(keySet)).buffer as ArrayBuffer;
    },
  };
}

function requireKeySet(response: Response, url: string): void {
  const fault = faultOfStatus(response.status);
  const contentType = response.headers.get('content-type') ?? '';
  const isJson = /^application\/([\w.+-]+\+)?json\b/i.test(contentType);
  if (fault === undefined && isJson) return;
  // An unread body would keep its connection open.
  void response.body?.cancel().catch(() => {});
  if (fault !== undefined) throw new TokenRefusal(fault, `${url} answered ${response.status}`);
  throw new TokenRefusal('key-set-malformed', `${url} returned the content type "${contentType}"`);
}

function faultOfStatus(status: number): TokenFault | undefined {
  if (status === 200) return undefined;
  return status === 429 ? 'key-set-too-many-requests' : 'key-set-status';
}

function failed(url: string, cause: unknown): TokenRefusal {
  const isTimeout = cause instanceof DOMException && cause.name === 'TimeoutError';
  return new TokenRefusal(isTimeout ? 'key-set-timed-out' : 'key-set-not-fetched', url, { cause });
}
