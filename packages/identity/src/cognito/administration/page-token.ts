import { invalidParameter } from '../wire/wire-error.ts';

/** Maximum page size of the protocol, and the default. */
const MAX_PAGE = 60;

/** Reads the limit of a page; 0 means the default, as on AWS. */
export function pageSizeOf(limit: number | undefined): number {
  return limit === undefined || limit === 0 ? MAX_PAGE : limit;
}

/** Position of the next page: after the row with this name. */
function encodePageToken(after: string): string {
  return Buffer.from(JSON.stringify([1, after])).toString('base64url');
}

/** @throws InvalidParameterException for a token that is none of ours */
export function decodePageToken(token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    if (Array.isArray(parsed) && parsed[0] === 1 && typeof parsed[1] === 'string') {
      return parsed[1];
    }
  } catch {
    // Answered below.
  }
  throw invalidParameter('Invalid pagination token.');
}

/** Splits one row more than requested into a page and the name for the next page. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  nameOf: (row: Row) => string,
): { readonly rows: readonly Row[]; readonly next: string | undefined } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { rows: page, next: hasMore ? encodePageToken(nameOf(last)) : undefined };
}
