import { checkResponseShape } from './check-response-shape.ts';

export interface PortalFetchOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Told of every answer, so that the "offline" banner can go. */
  readonly onAnswer?: () => void;
}

/**
 * `fetch` for the batch link: it checks the answer's shape before the transformer sees it, because the library no
 * longer tells "badly formatted" from "cannot be transformed". Answers that are no JSON stay the library's business.
 */
export function createPortalFetch({ fetch, onAnswer }: PortalFetchOptions) {
  return async (url: URL | RequestInfo, options?: object): Promise<Response> => {
    const response = await fetch(url, options as RequestInit | undefined);
    onAnswer?.();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    if (isJson) checkResponseShape(await response.clone().json());
    return response;
  };
}
