import type { ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { Suspense, lazy, useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { useBreadcrumbs, useRefresh } from '../shell/page-slots.tsx';
import { isFiltered } from './list/device-filter.ts';
import { DeviceFilterBar } from './list/device-filter-bar.tsx';
import { DeviceListHeader, type ListAction } from './list/device-list-header.tsx';
import { DevicesTable } from './list/devices-table.tsx';
import { DroppedTokensNote } from './list/dropped-tokens-note.tsx';
import { IncompleteNote } from './list/incomplete-note.tsx';
import { ListDialogs } from './list/list-dialogs.tsx';
import { ListUpdated } from './list/list-updated.tsx';
import { useDeviceExport } from './list/use-device-export.ts';
import { useDeviceList, type DeviceList } from './list/use-device-list.ts';
import { useEmptyWords } from './list/use-empty-words.tsx';
import { useListAddress } from './list/use-list-address.ts';
import { useListKeys } from './list/use-list-keys.ts';
import { useSelection } from './list/use-selection.ts';
import { useSummaryPanel } from './list/use-summary-panel.tsx';
import './devices.css';

export const Route = createLazyRoute('/devices')({ component: DevicesPage });

const route = getRouteApi('/devices');
const TargetListNote = lazy(() =>
  import('./list/target-list-note.tsx').then((module) => ({ default: module.TargetListNote })),
);

function DevicesPage(): ReactNode {
  const t = useT();
  const search = route.useSearch();
  const address = useListAddress();
  const list = useDeviceList(search);
  const { query, rows, pages, sorting } = list;
  const { selected, onSelect, menuRef } = useRowsAtHand(list, search.sel);
  const { refetch } = query;
  useBreadcrumbs([{ text: t('devices.list.title'), href: '/devices' }]);
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const header = useHeader(list, selected, menuRef);
  const filter = useFilter(list);
  const nextCursor = query.data?.nextCursor;
  const paging = useMemo(() => ({ pages, nextCursor }), [pages, nextCursor]);
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
      <ListDialogs dialog={search.dialog} />
    </>
  );
}

/** Selection, keys and the split panel: what one does with the rows. */
function useRowsAtHand({ rows, filter, sorting, pages }: DeviceList, shownId: string) {
  const t = useT();
  const address = useListAddress();
  const menuRef = useRef<ButtonDropdownProps.Ref>(null);
  const pageKey = JSON.stringify([filter, sorting, pages.cursor]);
  const { selected, select } = useSelection(pageKey, rows);
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
  return { selected, onSelect, menuRef };
}

function useHeader(
  list: DeviceList,
  selected: ReturnType<typeof useRowsAtHand>['selected'],
  menuRef: ReturnType<typeof useRowsAtHand>['menuRef'],
): ReactNode {
  const address = useListAddress();
  const exporting = useDeviceExport(list.filter, list.sorting);
  const startExport = useRef(exporting.start);
  useEffect(() => {
    startExport.current = exporting.start;
  });
  const { count, rows } = list;
  const keyHash = JSON.stringify(list.queryKey);
  const firstId = selected[0]?.id ?? rows?.[0]?.id ?? '';
  return useMemo(() => {
    const onAction = (action: ListAction): void => {
      if (action === 'export') startExport.current();
      else if (action === 'panel') address.showPanel(firstId);
      else address.openDialog(action);
    };
    return (
      <DeviceListHeader
        count={count}
        selected={selected}
        updated={<ListUpdated queryKey={JSON.parse(keyHash) as unknown[]} />}
        exporting={exporting.isPending}
        menuRef={menuRef}
        onAction={onAction}
      />
    );
  }, [address, count, selected, keyHash, exporting.isPending, menuRef, firstId]);
}

function useFilter({ tokens, dropped, count }: DeviceList): ReactNode {
  const { q, op, sort, targets, view } = route.useSearch();
  const address = useListAddress();
  return useMemo(
    () => (
      <div className="dp-stack">
        <DeviceFilterBar
          query={tokens}
          count={count}
          search={{ q, op, sort, targets }}
          viewId={view}
          onChange={address.filter}
          onView={address.openView}
          onSavedView={address.nameView}
        />
        <DroppedTokensNote tokens={dropped} />
        {targets === '' ? null : (
          <Suspense>
            <TargetListNote id={targets} onClear={address.clearTargets} />
          </Suspense>
        )}
      </div>
    ),
    [tokens, dropped, count, q, op, sort, targets, view, address],
  );
}

function useFooter({ query, pages, sorting }: DeviceList): ReactNode {
  const complete = query.data?.complete ?? true;
  const searchedTo = query.data?.searchedTo ?? null;
  const nextCursor = query.data?.nextCursor ?? null;
  const busy = query.isFetching;
  const { goNext } = pages;
  const { sort } = sorting;
  return useMemo(
    () =>
      complete || nextCursor === null ? null : (
        <IncompleteNote
          searchedTo={searchedTo}
          sort={sort}
          busy={busy}
          onFurther={() => goNext(nextCursor)}
        />
      ),
    [complete, nextCursor, searchedTo, sort, busy, goNext],
  );
}
