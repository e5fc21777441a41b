import { memo, type ReactNode } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { useT } from '../../i18n/use-t.ts';
import { DataTable, type TableSort } from '../../ui/table/data-table.tsx';
import type { TablePaging } from '../../ui/table/table-pages.tsx';
import type { EmptyWords } from '../../ui/table/table-empty.tsx';
import type { DevicesSorting } from './filter/device-filter.ts';
import { useDeviceColumns } from './use-device-columns.tsx';
import { DEVICES_TABLE } from './device-list-input.ts';

export interface DevicesTableProps {
  readonly rows: readonly DeviceRow[] | undefined;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
  readonly sorting: DevicesSorting;
  readonly onSort: (sort: TableSort) => void;
  readonly paging: TablePaging;
  readonly selected: readonly DeviceRow[];
  readonly onSelect: (rows: readonly DeviceRow[]) => void;
  readonly header: ReactNode;
  readonly filter: ReactNode;
  readonly footer: ReactNode;
  readonly empty: EmptyWords;
  readonly onClearFilter: (() => void) | undefined;
}

const rowKey = (row: DeviceRow): string => row.id;
const rowLabel = (row: DeviceRow): string => row.serialNumber ?? row.name;

/** Renders only when rows, selection, or texts change. Cells subscribe to their status. */
export const DevicesTable = memo(function DevicesTable(props: DevicesTableProps): ReactNode {
  const t = useT();
  const columns = useDeviceColumns();
  const { isPending, error, refetch, ...rest } = props;
  return (
    <DataTable
      id={DEVICES_TABLE}
      label={t('devices.list.title')}
      columns={columns}
      rowKey={rowKey}
      rowLabel={rowLabel}
      query={{ isPending, error, refetch }}
      selection="multi"
      {...rest}
    />
  );
});
