import { z } from 'zod';
import { DEFAULT_PAGE_SIZE } from './constants.ts';
import { momentSchema } from './moment.ts';

/** Time as ISO 8601 with zone, for example `2026-11-20T18:00:00.000Z`. */
export type Timestamp = string;

export const pageSizeSchema = z.int().min(1).max(100).default(DEFAULT_PAGE_SIZE);

/** Opaque to the browser: start of a keyset page. */
export const cursorSchema = z.string().max(1_024).nullable().default(null);

/** One keyset page. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Cursor of the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/**
 * A page of a search that can return before it is complete. If `complete` is false, rows may be
 * missing, and `nextCursor` continues after `searchedTo`.
 */
export interface SearchPage<Row> extends Page<Row> {
  readonly complete: boolean;
  /** The sort value up to which the search is complete. */
  readonly searchedTo: string | null;
}

/** Exact up to its cap. Beyond it, the cap with `exact: false` ("10,000+"). */
export interface CappedCount {
  readonly count: number;
  readonly exact: boolean;
}

/** Time range; either end can be open. */
export const timeRangeSchema = z.object({
  from: momentSchema.nullable().default(null),
  to: momentSchema.nullable().default(null),
});
