import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useMemo, useState, type ReactNode } from 'react';
import { DEFAULT_PAGE_SIZE } from '@deviceportal/contract/constants';

import { useT } from '../../i18n/use-t.ts';
import { usePreferences } from '../preferences-store.ts';
import { ErrorView } from '../error-reaction/error-view.tsx';
import { TablePages, type TablePaging } from './table-pages.tsx';
import { pageSizeOf } from './page-size.ts';
import { LazyTableSettings } from './lazy-table-settings.tsx';
import { TableEmpty, type EmptyWords } from './table-empty.tsx';
import { visibleColumnIds, type TableColumn } from './table-column.ts';

/** The parts of a TanStack query that the table shows. */
export interface TableQuery {
  readonly isPending: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

export interface TableSort {
  readonly sort: string;
  readonly descending: boolean;
}

export interface DataTableProps<Row> {
  /** Under which the person's columns and page size are kept. */
  readonly id: string;
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  /** Undefined until the first answer. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** What a person calls the row, for the words of its checkbox. */
  readonly rowLabel?: (row: Row) => string;
  readonly query: TableQuery;
  /** A `<PageHeader>` or a Cloudscape `<Header>`. */
  readonly header?: ReactNode;
  /** A `<PropertyFilterBar>`. */
  readonly filter?: ReactNode;
  readonly empty: EmptyWords;
  /** A filter is set: no rows then means "no match", with a button that clears it. */
  readonly onClearFilter?: (() => void) | undefined;
  readonly sorting?: TableSort;
  readonly onSort?: (sort: TableSort) => void;
  readonly paging?: TablePaging;
  readonly selection?: 'single' | 'multi';
  readonly selected?: readonly Row[];
  readonly onSelect?: (rows: readonly Row[]) => void;
  readonly isDisabled?: (row: Row) => boolean;
  readonly variant?: TableProps['variant'];
  readonly footer?: ReactNode;
  /** Settings (columns, page size, wrap) of a small table inside a page only get in the way. */
  readonly withoutSettings?: boolean;
  /** For tables of few rows whose last columns would be out of sight; a person's own choice counts before it. */
  readonly wrapLines?: boolean;
  /** Rows that stand for others and open. */
  readonly expandable?: {
    readonly childrenOf: (row: Row) => readonly Row[];
    readonly label: (row: Row, isOpen: boolean) => string;
  };
}

/** As many rows as fit, so that nothing moves when the real ones take their places. */
const SKELETON = { totalRows: 'auto', minAutoRows: 3, maxAutoRows: DEFAULT_PAGE_SIZE } as const;

/** The one table of the product: skeleton, empty, no match and failed told apart, keyset pages, kept settings. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const t = useT();
  const preferences = usePreferences().tables?.[props.id];
  const definitions = useMemo(() => props.columns.map(toDefinition), [props.columns]);
  const visible = visibleColumnIds(props.columns, preferences?.columns);
  const rows = props.rows ?? [];
  const expanding = useExpanding(props);
  // A refresh that failed keeps the rows, and an empty list stays an empty list.
  const failed = props.rows === undefined && Boolean(props.query.error);
  return (
    <Table<Row>
      variant={props.variant ?? 'full-page'}
      items={rows}
      trackBy={props.rowKey}
      columnDefinitions={definitions}
      columnDisplay={definitions
        .map(({ id = '' }) => ({ id, visible: visible.includes(id) }))
        .toSorted((one, other) => position(visible, one.id) - position(visible, other.id))}
      stickyHeader={props.variant === undefined || props.variant === 'full-page'}
      stickyColumns={{ first: 1 }}
      resizableColumns={!props.withoutSettings}
      enableKeyboardNavigation
      wrapLines={preferences?.wrapLines ?? props.wrapLines ?? false}
      stripedRows={preferences?.stripedRows ?? false}
      loading={props.query.isPending}
      loadingText={t('app.table.loading')}
      // With it the table has no words for an empty list (components 3.0), so it goes with the loading.
      {...(props.query.isPending ? { skeleton: SKELETON } : {})}
      ariaLabels={{
        tableLabel: props.label,
        selectionGroupLabel: t('app.table.selection'),
        allItemsSelectionLabel: () => t('app.table.selectAll'),
        itemSelectionLabel: (_selection, row) =>
          t('app.table.selectRow', { row: (props.rowLabel ?? props.rowKey)(row) }),
        expandButtonLabel: (row) => props.expandable?.label(row, false) ?? '',
        collapseButtonLabel: (row) => props.expandable?.label(row, true) ?? '',
      }}
      renderAriaLive={({ firstIndex, lastIndex }) =>
        rows.length === 0 ? '' : t('app.table.shown', { first: firstIndex, last: lastIndex })
      }
      empty={
        failed ? (
          <ErrorView
            error={props.query.error}
            place="alert"
            onRetry={() => void props.query.refetch()}
          />
        ) : (
          <TableEmpty words={props.empty} onClearFilter={props.onClearFilter} />
        )
      }
      header={props.header}
      filter={props.filter}
      footer={props.footer}
      {...expanding}
      {...selectionProps(props)}
      {...sortingProps(props, definitions)}
      {...(props.paging === undefined
        ? {}
        : { pagination: <TablePages paging={props.paging} rowCount={rows.length} /> })}
      {...(props.withoutSettings
        ? {}
        : {
            preferences: (
              <LazyTableSettings tableId={props.id} columns={props.columns} visible={visible} />
            ),
          })}
    />
  );
}

/** The page size a person has chosen for a table. */
export function useTablePageSize(tableId: string): number {
  return pageSizeOf(usePreferences(), tableId);
}

function position(visible: readonly string[], id: string): number {
  const index = visible.indexOf(id);
  return index === -1 ? visible.length : index;
}

function toDefinition<Row>(column: TableColumn<Row>): TableProps.ColumnDefinition<Row> {
  return {
    id: column.id,
    header: column.header,
    cell: column.numeric
      ? (row) => <span className="dp-number">{column.cell(row)}</span>
      : column.cell,
    ...(column.sort === undefined ? {} : { sortingField: column.sort }),
    ...(column.rowHeader ? { isRowHeader: true } : {}),
    ...(column.width === undefined ? {} : { width: column.width }),
    ...(column.minWidth === undefined ? {} : { minWidth: column.minWidth }),
  };
}

/** Which rows are open, for as long as the table is shown. */
function useExpanding<Row>({ expandable, rowKey }: DataTableProps<Row>): Partial<TableProps<Row>> {
  const [open, setOpen] = useState<readonly Row[]>([]);
  if (expandable === undefined) return {};
  return {
    expandableRows: {
      getItemChildren: (row) => [...expandable.childrenOf(row)],
      isItemExpandable: (row) => expandable.childrenOf(row).length > 0,
      expandedItems: open,
      onExpandableItemToggle: ({ detail }) =>
        setOpen((old) => {
          const others = old.filter((row) => rowKey(row) !== rowKey(detail.item));
          return detail.expanded ? [...others, detail.item] : others;
        }),
    },
  };
}

function selectionProps<Row>(props: DataTableProps<Row>): Partial<TableProps<Row>> {
  if (props.selection === undefined) return {};
  return {
    selectionType: props.selection,
    selectedItems: props.selected ?? [],
    onSelectionChange: ({ detail }) => props.onSelect?.(detail.selectedItems),
    ...(props.isDisabled === undefined ? {} : { isItemDisabled: props.isDisabled }),
  };
}

function sortingProps<Row>(
  { sorting, onSort }: DataTableProps<Row>,
  definitions: readonly TableProps.ColumnDefinition<Row>[],
): Partial<TableProps<Row>> {
  if (sorting === undefined || onSort === undefined) return {};
  const column = definitions.find(({ sortingField }) => sortingField === sorting.sort);
  return {
    sortingDescending: sorting.descending,
    ...(column === undefined ? {} : { sortingColumn: column }),
    onSortingChange: ({ detail }) => {
      const sort = detail.sortingColumn.sortingField;
      if (sort !== undefined) onSort({ sort, descending: detail.isDescending ?? false });
    },
  };
}
