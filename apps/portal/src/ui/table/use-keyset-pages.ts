import { useCallback, useMemo, useState } from 'react';

export interface KeysetPages {
  /** The cursor of the page. Null for the first page. */
  readonly cursor: string | null;
  /** From 1. */
  readonly pageNumber: number;
  /** The number of rows on the previous pages. Null if one of them is unknown. */
  readonly rowsBefore: number | null;
  /** Cursors of the previous pages, the first page first. */
  readonly previousCursors: readonly (string | null)[];
  /** `rowCount`: the number of rows of the current page. */
  readonly goNext: (nextCursor: string, rowCount?: number) => void;
  readonly goPrevious: () => void;
  readonly goFirst: () => void;
}

interface PageStart {
  readonly cursor: string | null;
  readonly rowsBefore: number | null;
}

interface State {
  readonly key: string;
  readonly starts: readonly PageStart[];
}

const FIRST: readonly PageStart[] = [{ cursor: null, rowsBefore: 0 }];

/**
 * Keyset pagination in both directions, which stores the cursors of previous pages. Another `key`
 * (filter, sort, page size) returns to the first page.
 */
export function useKeysetPages(key: string): KeysetPages {
  const [state, setState] = useState<State>({ key, starts: FIRST });
  const starts = state.key === key ? state.starts : FIRST;
  const goNext = useCallback(
    (cursor: string, rowCount?: number) =>
      setState((old) => {
        const before = old.key === key ? old.starts : FIRST;
        const rows = before.at(-1)?.rowsBefore ?? null;
        const rowsBefore = rows === null || rowCount === undefined ? null : rows + rowCount;
        return { key, starts: [...before, { cursor, rowsBefore }] };
      }),
    [key],
  );
  const goPrevious = useCallback(
    () =>
      setState((old) => ({
        key,
        starts: old.key === key && old.starts.length > 1 ? old.starts.slice(0, -1) : FIRST,
      })),
    [key],
  );
  const goFirst = useCallback(() => setState({ key, starts: FIRST }), [key]);
  return useMemo(
    () => ({
      cursor: starts.at(-1)?.cursor ?? null,
      pageNumber: starts.length,
      rowsBefore: starts.at(-1)?.rowsBefore ?? null,
      previousCursors: starts.slice(0, -1).map(({ cursor }) => cursor),
      goNext,
      goPrevious,
      goFirst,
    }),
    [starts, goNext, goPrevious, goFirst],
  );
}
