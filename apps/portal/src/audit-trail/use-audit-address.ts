import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { SavedView } from '@deviceportal/contract/devices';
import { encodeFilter, type FilterQuery } from '../ui/filter-codec.ts';
import { encodeTimeRange, type TimeRange } from '../ui/time/time-range.ts';

const route = getRouteApi('/audit-trail/device');

/** Changes the address of the page. The filter bar replaces the short forms of links. */
export function useAuditAddress() {
  const navigate = route.useNavigate();
  return useMemo(() => {
    const change = (part: Readonly<Record<string, string | boolean>>): void =>
      void navigate({ search: (old) => ({ ...old, ...part }), replace: true, resetScroll: false });
    return {
      filter: (query: FilterQuery) =>
        change({ q: encodeFilter(query), device: '', actor: '', ref: '', sel: '' }),
      range: (range: TimeRange) => change({ t: encodeTimeRange(range), sel: '' }),
      live: (live: boolean) => change({ live }),
      select: (sel: string) => change({ sel }),
      archive: (archive: boolean) => change({ archive, sel: '' }),
      flat: (flat: boolean) => change({ flat }),
      nameView: (view: SavedView) => change({ view: view.id }),
      view: (view: SavedView | null) =>
        change({
          q: view?.search['q'] ?? '',
          t: view?.search['t'] ?? '',
          view: view?.id ?? '',
          ...{ device: '', actor: '', ref: '', sel: '' },
        }),
      check: (isOpen: boolean) => change({ dialog: isOpen ? 'check' : '' }),
    };
  }, [navigate]);
}
