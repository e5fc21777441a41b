import type { Page } from '@deviceportal/contract/pages';
import { encodeCursor } from '../platform/keyset-cursor.ts';

/**
 * A keyset page of rows that were read with one more than the page size.
 * @param placeOf the sort values of a row
 */
export function pageOf<Row>(
  rows: readonly Row[],
  pageSize: number,
  placeOf: (row: Row) => readonly string[],
): Page<Row> {
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  return { rows: shown, nextCursor: last === undefined ? null : encodeCursor(placeOf(last)) };
}
