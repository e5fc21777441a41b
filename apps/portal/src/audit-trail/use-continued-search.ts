import { useCallback, useEffect, useMemo, useState } from 'react';
import type { SearchPage } from '@deviceportal/contract/pages';
import { addPart, firstPart, type SearchParts } from './search-parts.ts';

/** The part of a page that is to be asked for; `begin` is where the page begins. */
export function useSearchParts<Row>(key: string, begin: string | null) {
  const [kept, setParts] = useState<SearchParts<Row>>();
  const parts = useMemo<SearchParts<Row>>(
    () => (kept?.key === key ? kept : firstPart(key, begin)),
    [kept, key, begin],
  );
  return { parts, setParts };
}

/** What the query of one part says of it. */
interface PartQuery<Row> {
  readonly data: SearchPage<Row> | undefined;
  readonly isPlaceholderData: boolean;
  readonly isError: boolean;
  readonly refetch: () => unknown;
}

export interface ContinuedSearch<Row> {
  readonly rows: readonly Row[] | undefined;
  /** Back to where everything has been looked at; null where all has, or the page is full. */
  readonly searchedTo: string | null;
  readonly isRunning: boolean;
  /** The last part did not come: `goOn` asks for it once more. */
  readonly hasFailed: boolean;
  readonly stop: () => void;
  readonly goOn: () => void;
}

/**
 * A search that looks at a part of what there is at a time is asked on for the next part until the page is full,
 * everything has been looked at, or the person has seen enough.
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
  const goOn = useCallback(() => {
    setParts({ ...parts, isStopped: false });
    if (isError) void refetch();
  }, [parts, setParts, isError, refetch]);
  const isFirst = parts.searchedTo === null;
  const searchedTo = found === null ? parts.searchedTo : found.searchedTo;
  return {
    // Until the first part has come, what was shown before stays.
    rows: found?.rows ?? (isFirst ? data?.rows : parts.rows),
    searchedTo,
    isRunning: searchedTo !== null && !parts.isStopped && !isError,
    hasFailed: isError,
    stop,
    goOn,
  };
}
