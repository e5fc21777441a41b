import { BadlyFormattedResponse, checkResponseShape } from './check-response-shape.ts';

export interface PortalFetchOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Told of every answer, so that the "offline" banner can go. */
  readonly onAnswer?: () => void;
}

/** The answer is no JSON: it comes from a proxy, or was cut off (docs/design/portal.md, section 8). */
export class UntransformableResponse extends Error {
  override readonly name = 'UntransformableResponse';
  readonly httpStatus: number;

  constructor(httpStatus: number) {
    super('Unable to transform response from server');
    this.httpStatus = httpStatus;
  }
}

/**
 * `fetch` for the batch link: it checks the answer before the transformer sees it, because the library no longer
 * tells "badly formatted" from "cannot be transformed", and takes an answer that is no JSON for a lost connection.
 */
export function createPortalFetch({ fetch, onAnswer }: PortalFetchOptions) {
  return async (url: URL | RequestInfo, options?: object): Promise<Response> => {
    const response = await fetch(url, options as RequestInit | undefined);
    onAnswer?.();
    // A connection that is lost while the text arrives is none.
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
