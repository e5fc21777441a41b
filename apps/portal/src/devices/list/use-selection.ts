import { useCallback, useMemo, useState } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';

/** The chosen rows of this page; another page, filter or sort begins with none. */
export function useSelection(pageKey: string, rows: readonly DeviceRow[] | undefined) {
  const [state, setState] = useState<{ readonly key: string; readonly ids: readonly string[] }>({
    key: pageKey,
    ids: [],
  });
  const ids = state.key === pageKey ? state.ids : none;
  const selected = useMemo(() => (rows ?? []).filter(({ id }) => ids.includes(id)), [rows, ids]);
  const select = useCallback(
    (chosen: readonly DeviceRow[]) => setState({ key: pageKey, ids: chosen.map(({ id }) => id) }),
    [pageKey],
  );
  return { selected, select };
}

const none: readonly string[] = [];
