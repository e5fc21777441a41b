import type { SearchPage } from '@deviceportal/contract/pages';

/** A page of a search that looks at a part of what there is at a time, as far as it has come. */
export interface SearchParts<Row> {
  /** Which page of which search this is: another one begins anew. */
  readonly key: string;
  /** Where the part that is asked for begins. */
  readonly cursor: string | null;
  /** Found in the parts before it. */
  readonly rows: readonly Row[];
  /** Back to where these parts have looked; null before the first. */
  readonly searchedTo: string | null;
  readonly isStopped: boolean;
}

export function firstPart<Row>(key: string, cursor: string | null): SearchParts<Row> {
  return { key, cursor, rows: [], searchedTo: null, isStopped: false };
}

export interface Found<Row> {
  readonly rows: readonly Row[];
  /** Back to where everything has been looked at; null where all has, or the page is full. */
  readonly searchedTo: string | null;
  /** What is to be asked for next; null where nothing is. */
  readonly next: SearchParts<Row> | null;
}

/** Adds a part to those before it: the page goes on while it has room and not everything has been looked at. */
export function addPart<Row>(
  parts: SearchParts<Row>,
  part: SearchPage<Row>,
  pageSize: number,
): Found<Row> {
  const rows = parts.searchedTo === null ? part.rows : [...parts.rows, ...part.rows];
  const { nextCursor, searchedTo } = part;
  if (searchedTo === null || nextCursor === null || rows.length >= pageSize) {
    return { rows, searchedTo: null, next: null };
  }
  return { rows, searchedTo, next: { ...parts, cursor: nextCursor, rows, searchedTo } };
}
