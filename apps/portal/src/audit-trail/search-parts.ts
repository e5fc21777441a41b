import type { SearchPage } from '@deviceportal/contract/pages';

/** A page of results that is loaded in parts. */
export interface SearchParts<Row> {
  /** Identifies the search and its page. Another key starts again. */
  readonly key: string;
  /** The cursor of the next part. */
  readonly cursor: string | null;
  /** Rows of the previous parts. */
  readonly rows: readonly Row[];
  /** The time back to which these parts have searched. Null before the first part. */
  readonly searchedTo: string | null;
  readonly isStopped: boolean;
}

export function firstPart<Row>(key: string, cursor: string | null): SearchParts<Row> {
  return { key, cursor, rows: [], searchedTo: null, isStopped: false };
}

export interface Found<Row> {
  readonly rows: readonly Row[];
  /**
   * The time back to which the search is complete. Null if everything was searched or the page is
   * full.
   */
  readonly searchedTo: string | null;
  /** The next part to load. Null if there is none. */
  readonly next: SearchParts<Row> | null;
}

/** Appends a part. The page continues while it has room and part of the range is not searched. */
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
