import { useCallback, useEffect, useMemo, useState } from 'react';
import type { SearchPage } from '@deviceportal/contract/pages';
import { addPart, firstPart, type SearchParts } from './search-parts.ts';

/** The part of a page to load next. `begin` is the cursor of the page. */
export function useSearchParts<Row>(key: string, begin: string | null) {
  const [kept, setParts] = useState<SearchParts<Row>>();
  const parts = useMemo<SearchParts<Row>>(
    () => (kept?.key === key ? kept : firstPart(key, begin)),
    [kept, key, begin],
  );
  return { parts, setParts };
}

/** The query state of one part. */
interface PartQuery<Row> {
  readonly data: SearchPage<Row> | undefined;
  readonly isPlaceholderData: boolean;
  readonly isError: boolean;
  readonly refetch: () => unknown;
}

export interface ContinuedSearch<Row> {
  readonly rows: readonly Row[] | undefined;
  /**
   * The time back to which the search is complete. Null if everything was searched or the page is
   * full.
   */
  readonly searchedTo: string | null;
  readonly isRunning: boolean;
  /** The last part failed to load. `resume` retries it. */
  readonly hasFailed: boolean;
  readonly stop: () => void;
  readonly resume: () => void;
}

/**
 * Loads a search in parts until the page is full, everything was searched, or the user stops it.
 */
export function useContinuedSearch<Row>(
  { parts, setParts }: ReturnType<typeof useSearchParts<Row>>,
  query: PartQuery<Row>,
  pageSize: number,
): ContinuedSearch<Row> {
  const { data, isPlaceholderData, isError, refetch } = query;
  const part = isPlaceholderData ? undefined : data;
  const found = useMemo(
    () => (part === undefined ? null : addPart(parts, part, pageSize)),
    [parts, part, pageSize],
  );
  const next = parts.isStopped || isError ? null : (found?.next ?? null);
  useEffect(() => {
    if (next !== null) setParts(next);
  }, [next, setParts]);
  const stop = useCallback(() => setParts({ ...parts, isStopped: true }), [parts, setParts]);
  const resume = useCallback(() => {
    setParts({ ...parts, isStopped: false });
    if (isError) void refetch();
  }, [parts, setParts, isError, refetch]);
  const isFirst = parts.searchedTo === null;
  const searchedTo = found === null ? parts.searchedTo : found.searchedTo;
  return {
    // Keeps the previous rows until the first part has loaded.
    rows: found?.rows ?? (isFirst ? data?.rows : parts.rows),
    searchedTo,
    isRunning: searchedTo !== null && !parts.isStopped && !isError,
    hasFailed: isError,
    stop,
    resume,
  };
}
