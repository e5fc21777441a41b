import { useCallback, useState } from 'react';

export interface KeysetPages {
  /** Goes into the query's input; null on the first page. */
  readonly cursor: string | null;
  /** From 1. */
  readonly pageNumber: number;
  readonly goNext: (nextCursor: string) => void;
  readonly goPrevious: () => void;
  readonly goFirst: () => void;
}

interface State {
  readonly key: string;
  readonly cursors: readonly (string | null)[];
}

/**
 * Keyset pages forwards and back: it remembers where each page began. Another `key` (filter, sort, page size) starts
 * over on the first page.
 */
export function useKeysetPages(key: string): KeysetPages {
  const [state, setState] = useState<State>({ key, cursors: [null] });
  const cursors = state.key === key ? state.cursors : [null];
  const goNext = useCallback(
    (nextCursor: string) =>
      setState((old) => ({
        key,
        cursors: [...(old.key === key ? old.cursors : [null]), nextCursor],
      })),
    [key],
  );
  const goPrevious = useCallback(
    () =>
      setState((old) => ({
        key,
        cursors: old.key === key && old.cursors.length > 1 ? old.cursors.slice(0, -1) : [null],
      })),
    [key],
  );
  const goFirst = useCallback(() => setState({ key, cursors: [null] }), [key]);
  return {
    cursor: cursors.at(-1) ?? null,
    pageNumber: cursors.length,
    goNext,
    goPrevious,
    goFirst,
  };
}
