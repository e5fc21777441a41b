import type { ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { useBreadcrumbs, useRefresh } from '../ui/page-slots.tsx';
import { isFiltered } from './list/filter/device-filter.ts';
import { DevicesTable } from './list/devices-table.tsx';
import { IncompleteNote } from './list/incomplete-note.tsx';
import { ListDialogs } from './list/list-dialogs.tsx';
import { useDeviceList, type DeviceList } from './list/use-device-list.ts';
import { useEmptyWords } from './list/use-empty-words.tsx';
import { useListAddress } from './list/use-list-address.ts';
import { useListFilter } from './list/filter/use-list-filter.tsx';
import { useListHeader } from './list/use-list-header.tsx';
import { useListKeys } from './list/use-list-keys.ts';
import { useDefaultView } from './list/views/use-default-view.ts';
import { useKeepTrail } from './list/use-keep-trail.ts';
import { useSelection } from './list/use-selection.ts';
import { useSummaryPanel } from './list/use-summary-panel.tsx';
import './devices.css';

export const Route = createLazyRoute('/devices')({ component: DevicesPage });

const route = getRouteApi('/devices');

function DevicesPage(): ReactNode {
  const t = useT();
  const search = route.useSearch();
  const address = useListAddress();
  const isWaiting = useDefaultView();
  const list = useDeviceList(search, { isWaiting });
  const { query, rows, pages, sorting } = list;
  const { selection, onSelect, menuRef } = useRowsAtHand(list, search.sel);
  const { selected } = selection;
  useKeepTrail(list);
  const { refetch } = query;
  useBreadcrumbs([{ text: t('devices.list.title'), href: '/devices' }]);
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const header = useListHeader(list, selection, menuRef);
  const filter = useListFilter(list, selection);
  const nextCursor = query.data?.nextCursor;
  const { count } = list;
  const paging = useMemo(() => ({ pages, nextCursor, total: count }), [pages, nextCursor, count]);
  const empty = useEmptyWords();
  return (
    <>
      <DevicesTable
        rows={rows}
        isPending={query.isPending}
        error={query.error}
        refetch={refetch}
        sorting={sorting}
        onSort={address.sort}
        paging={paging}
        selected={selected}
        onSelect={onSelect}
        header={header}
        filter={filter}
        footer={useFooter(list)}
        empty={empty}
        onClearFilter={isFiltered(search) ? address.clear : undefined}
      />
      <ListDialogs dialog={search.dialog} compare={search.compare} />
    </>
  );
}

/** Selection, shortcuts, and split panel of the rows. */
function useRowsAtHand({ rows, filter, sorting, pages }: DeviceList, shownId: string) {
  const t = useT();
  const address = useListAddress();
  const menuRef = useRef<ButtonDropdownProps.Ref>(null);
  const pageKey = JSON.stringify([filter, sorting, pages.cursor]);
  const selection = useSelection({ pageKey, filterKey: JSON.stringify(filter) }, rows);
  const { selected, select } = selection;
  const { showPanel } = address;
  const shown = rows?.find(({ id }) => id === shownId);
  const firstId = selected[0]?.id ?? rows?.[0]?.id ?? '';
  useSummaryPanel(
    shownId,
    shown?.serialNumber ?? shown?.name ?? t('devices.summary.title'),
    useCallback((open: boolean) => showPanel(open ? firstId : ''), [showPanel, firstId]),
  );
  useListKeys({ rows, selected, select, shownId, showPanel, commandMenu: menuRef });
  const onSelect = useCallback(
    (chosen: Parameters<typeof select>[0]) => {
      select(chosen);
      const last = chosen.at(-1);
      if (shownId !== '' && last !== undefined) showPanel(last.id);
    },
    [select, shownId, showPanel],
  );
  return { selection, onSelect, menuRef };
}

function useFooter({ query, pages, sorting, rows }: DeviceList): ReactNode {
  const complete = query.data?.complete ?? true;
  const searchedTo = query.data?.searchedTo ?? null;
  const nextCursor = query.data?.nextCursor ?? null;
  const busy = query.isFetching;
  const { goNext } = pages;
  const rowCount = rows?.length;
  const { sort } = sorting;
  return useMemo(
    () =>
      complete || nextCursor === null ? null : (
        <IncompleteNote
          searchedTo={searchedTo}
          sort={sort}
          busy={busy}
          onFurther={() => goNext(nextCursor, rowCount)}
        />
      ),
    [complete, nextCursor, searchedTo, sort, busy, goNext, rowCount],
  );
}
