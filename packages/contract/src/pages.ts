import { z } from 'zod';
import { DEFAULT_PAGE_SIZE } from './constants.ts';
import { momentSchema } from './moment.ts';

/** A moment as ISO 8601 with zone, e.g. `2026-11-20T18:00:00.000Z`. */
export type Timestamp = string;

export const pageSizeSchema = z.int().min(1).max(100).default(DEFAULT_PAGE_SIZE);

/** Opaque to the browser: where a keyset page begins. */
export const cursorSchema = z.string().max(1_024).nullable().default(null);

/** One keyset page. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Where the next page begins; null on the last one. */
  readonly nextCursor: string | null;
}

/**
 * A page of a search that may answer before it has looked everywhere: `complete` is false when rows may be
 * missing from it, `nextCursor` then goes on from `searchedTo`.
 */
export interface SearchPage<Row> extends Page<Row> {
  readonly complete: boolean;
  /** The sort value up to which everything has been looked at, for the words "searched to …". */
  readonly searchedTo: string | null;
}

/** Exact up to its cap; beyond it the cap with `exact: false` ("10,000+"). */
export interface CappedCount {
  readonly count: number;
  readonly exact: boolean;
}

/** Closed time range; either end may be open. */
export const timeRangeSchema = z.object({
  from: momentSchema.nullable().default(null),
  to: momentSchema.nullable().default(null),
});
