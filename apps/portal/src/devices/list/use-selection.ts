import { useCallback, useMemo, useState } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';

export interface Selection {
  readonly selected: readonly DeviceRow[];
  readonly select: (rows: readonly DeviceRow[]) => void;
  /** All matches of the filter, on this page and all others. */
  readonly isAll: boolean;
  readonly selectAll: (all: boolean) => void;
}

interface State {
  readonly key: string;
  readonly ids: readonly string[];
  /** The filter of which all matches are selected. */
  readonly allOf: string | null;
}

/**
 * The selected rows of this page. Another page, filter, or sort clears the selection. “All matches”
 * is kept across pages until a row is deselected or the filter changes.
 */
export function useSelection(
  { pageKey, filterKey }: { readonly pageKey: string; readonly filterKey: string },
  rows: readonly DeviceRow[] | undefined,
): Selection {
  const [state, setState] = useState<State>({ key: pageKey, ids: none, allOf: null });
  const isAll = state.allOf === filterKey;
  const ids = state.key === pageKey ? state.ids : none;
  const selected = useMemo(
    () => (isAll ? (rows ?? []) : (rows ?? []).filter(({ id }) => ids.includes(id))),
    [rows, ids, isAll],
  );
  const select = useCallback(
    (chosen: readonly DeviceRow[]) =>
      setState({ key: pageKey, ids: chosen.map(({ id }) => id), allOf: null }),
    [pageKey],
  );
  const selectAll = useCallback(
    (all: boolean) => setState({ key: pageKey, ids: none, allOf: all ? filterKey : null }),
    [pageKey, filterKey],
  );
  return { selected, select, isAll, selectAll };
}

const none: readonly string[] = [];
