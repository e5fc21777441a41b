import { BadlyFormattedResponse, checkResponseShape } from './check-response-shape.ts';

export interface PortalFetchOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Called for every response, to hide the offline banner. */
  readonly onAnswer?: () => void;
}

/**
 * A response that is not JSON: sent by a proxy, or truncated (docs/design/portal.md, section 8).
 */
export class UntransformableResponse extends Error {
  override readonly name = 'UntransformableResponse';
  readonly httpStatus: number;

  constructor(httpStatus: number) {
    super('Unable to transform response from server');
    this.httpStatus = httpStatus;
  }
}

/**
 * `fetch` for the batch link. Checks the response before the transformer reads it, because the
 * library does not distinguish "badly formatted" from "cannot be transformed", and treats a
 * response that is not JSON as a lost connection.
 */
export function createPortalFetch({ fetch, onAnswer }: PortalFetchOptions) {
  return async (url: URL | RequestInfo, options?: object): Promise<Response> => {
    const response = await fetch(url, options as RequestInit | undefined);
    onAnswer?.();
    // A connection that is lost while the body arrives counts as no connection.
    const text = await response.clone().text();
    checkText(text, response.status);
    return response;
  };
}

function checkText(text: string, httpStatus: number): void {
  try {
    checkResponseShape(JSON.parse(text));
  } catch (error) {
    if (error instanceof BadlyFormattedResponse) throw error;
    throw new UntransformableResponse(httpStatus);
  }
}
