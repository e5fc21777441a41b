const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** Resources in one page; a client that asks for more gets this many. */
export const MOST_RESULTS = 200;

export interface ScimPage {
  /** Counted from 1. */
  readonly startIndex: number;
  readonly count: number;
}

/** Values below the smallest possible one are that one (RFC 7644, section 3.4.2.4). */
export function readPage(query: {
  readonly startIndex?: string;
  readonly count?: string;
}): ScimPage {
  const startIndex = Math.max(1, wholeNumber(query.startIndex) ?? 1);
  const count = Math.min(MOST_RESULTS, Math.max(0, wholeNumber(query.count) ?? MOST_RESULTS));
  return { startIndex, count };
}

function wholeNumber(text: string | undefined): number | undefined {
  const value = Number.parseInt(text ?? '', 10);
  return Number.isSafeInteger(value) && Math.abs(value) <= 2_147_483_647 ? value : undefined;
}

export const listResponse = (
  resources: readonly object[],
  { totalResults, startIndex }: { readonly totalResults: number; readonly startIndex: number },
): object => ({
  schemas: [LIST_SCHEMA],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});
