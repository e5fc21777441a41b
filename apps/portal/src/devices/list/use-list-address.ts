import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { SavedView } from '@deviceportal/contract/devices';
import { encodeFilter, type FilterQuery } from '../../ui/filter-codec.ts';
import type { TableSort } from '../../ui/table/data-table.tsx';
import { encodeSort } from './filter/device-filter.ts';
import { ALL_DEVICES, searchOfView } from './views/saved-views.ts';

const route = getRouteApi('/devices');

interface SearchPart {
  readonly q?: string;
  readonly op?: 'and' | 'or';
  readonly sort?: string;
  readonly view?: string;
  readonly targets?: string;
  readonly sel?: string;
  readonly dialog?: string;
  readonly compare?: string;
}

/** Changes the address of the list. The object is stable while the page is shown. */
export function useListAddress() {
  const navigate = route.useNavigate();
  return useMemo(() => {
    // Replaces the history entry, because an entry for every change would make “Back” useless.
    const change = (part: SearchPart): void =>
      void navigate({ search: (old) => ({ ...old, ...part }), replace: true, resetScroll: false });
    return {
      filter: ({ tokens, operation }: FilterQuery, targets?: string) =>
        change({
          q: encodeFilter({ tokens, operation }),
          op: operation,
          ...(targets === undefined ? {} : { targets }),
        }),
      sort: (sort: TableSort) => change({ sort: encodeSort(sort) }),
      clear: () => change({ q: '', op: 'and', targets: '', view: ALL_DEVICES }),
      clearTargets: () => change({ targets: '' }),
      useTargets: (id: string) => change({ targets: id, dialog: '' }),
      openView: (view: SavedView | null) =>
        change(
          view === null
            ? { q: '', op: 'and', sort: '', targets: '', view: ALL_DEVICES }
            : { ...asSearch(view), view: view.id },
        ),
      nameView: (view: SavedView) => change({ view: view.id }),
      showPanel: (deviceId: string) => change({ sel: deviceId }),
      openDialog: (dialog: string) => change({ dialog }),
      compare: (deviceIds: readonly string[]) => change({ compare: deviceIds.join(',') }),
    };
  }, [navigate]);
}

function asSearch(view: SavedView): SearchPart {
  const { q, op, sort, targets } = searchOfView(view);
  return { q, op: op === 'or' ? 'or' : 'and', sort, targets };
}
