import { useCallback, useMemo, useState } from 'react';

export interface KeysetPages {
  /** Goes into the query's input; null on the first page. */
  readonly cursor: string | null;
  /** From 1. */
  readonly pageNumber: number;
  /** Rows on the pages before this one; null where one of them was left without saying. */
  readonly rowsBefore: number | null;
  /** Where the pages before this one begin, the first page's first. */
  readonly previousCursors: readonly (string | null)[];
  /** `rowCount`: how many rows the page that is left holds. */
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
 * Keyset pages forwards and back: it remembers where each page began. Another `key` (filter, sort, page size) starts
 * over on the first page.
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
