import type { ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import { getRouteApi } from '@tanstack/react-router';
import {
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  type ReactNode,
  type RefObject,
} from 'react';
import { DeviceListHeader, type ListAction } from './device-list-header.tsx';
import { ListUpdated } from './list-updated.tsx';
import { useDeviceExport } from './use-device-export.ts';
import type { DeviceList } from './use-device-list.ts';
import { useListAddress } from './use-list-address.ts';
import type { Selection } from './use-selection.ts';

const route = getRouteApi('/devices');

/** The title, counts, and actions of the list. The element is stable until one of them changes. */
export function useListHeader(
  list: DeviceList,
  { selected: selectedNow, isAll: isAllNow, selectAll }: Selection,
  menuRef: RefObject<ButtonDropdownProps.Ref | null>,
): ReactNode {
  // The checkboxes are rendered first.
  const { selected, isAll } = useDeferredValue(
    useMemo(() => ({ selected: selectedNow, isAll: isAllNow }), [selectedNow, isAllNow]),
  );
  const { q, op, targets } = route.useSearch();
  const address = useListAddress();
  const exporting = useDeviceExport(list.filter, list.sorting);
  const startExport = useRef(exporting.start);
  useEffect(() => {
    startExport.current = exporting.start;
  });
  const { count, rows, moves } = list;
  const { refetch } = list.query;
  const keyHash = JSON.stringify(list.queryKey);
  const firstId = selected[0]?.id ?? rows?.[0]?.id ?? '';
  return useMemo(() => {
    const onAction = (action: ListAction): void => {
      if (action === 'export') startExport.current();
      else if (action === 'panel') address.showPanel(firstId);
      else if (action === 'compare') address.compare(selected.map(({ id }) => id));
      else if (action === 'all' || action === 'none') selectAll(action === 'all');
      else address.openDialog(action);
    };
    return (
      <DeviceListHeader
        count={count}
        selected={selected}
        filter={{ q, op, targets }}
        allMatching={isAll ? { q, op, targets } : undefined}
        updated={
          <ListUpdated
            queryKey={JSON.parse(keyHash) as unknown[]}
            moves={moves}
            onShow={() => void refetch()}
          />
        }
        exporting={exporting.isPending}
        menuRef={menuRef}
        onAction={onAction}
      />
    );
  }, [
    address,
    count,
    selected,
    keyHash,
    exporting.isPending,
    menuRef,
    firstId,
    moves,
    refetch,
    isAll,
    selectAll,
    q,
    op,
    targets,
  ]);
}
