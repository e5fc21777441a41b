import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useMemo, useState, type ReactNode } from 'react';
import { DEFAULT_PAGE_SIZE } from '@deviceportal/contract/constants';

import { useT } from '../../i18n/use-t.ts';
import { usePreferences } from '../preferences-store.ts';
import { ErrorView } from '../error-reaction/error-view.tsx';
import { TablePages, type TablePaging } from './table-pages.tsx';
import { pageSizeOf } from './page-size.ts';
import { LazyTableSettings } from './lazy-table-settings.tsx';
import { TablePlace } from './table-place.tsx';
import { TableEmpty, type EmptyWords } from './table-empty.tsx';
import { visibleColumnIds, type TableColumn } from './table-column.ts';

/** The parts of a TanStack query that the table needs. */
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
  /** The key under which the user’s columns and page size are stored. */
  readonly id: string;
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  /** Undefined until loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** The name of a row for the label of its checkbox. */
  readonly rowLabel?: (row: Row) => string;
  readonly query: TableQuery;
  /** A `<PageHeader>` or a Cloudscape `<Header>`. */
  readonly header?: ReactNode;
  /** A `<PropertyFilterBar>`. */
  readonly filter?: ReactNode;
  readonly empty: EmptyWords;
  /**
   * Set if a filter is active: the empty state is then “no matches”, with a button that clears the
   * filter.
   */
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
  /** Hides the settings (columns, page size, wrapping), for small tables inside a page. */
  readonly withoutSettings?: boolean;
  /**
   * Wraps lines by default, for small tables whose last columns would be out of sight. The user’s
   * choice takes precedence.
   */
  readonly wrapLines?: boolean;
  /** Rows that can be expanded. */
  readonly expandable?: {
    readonly childrenOf: (row: Row) => readonly Row[];
    readonly label: (row: Row, isOpen: boolean) => string;
  };
}

/** As many rows as fit, so that nothing moves when the data is loaded. */
const SKELETON = { totalRows: 'auto', minAutoRows: 3, maxAutoRows: DEFAULT_PAGE_SIZE } as const;

const STICKY = { first: 1 } as const;

/**
 * The table of the product, with a skeleton, empty, no-match, and error states, keyset pages, and
 * stored settings.
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const t = useT();
  const preferences = usePreferences().tables?.[props.id];
  const isSortable = props.onSort !== undefined;
  const isFixed = props.withoutSettings ?? false;
  const definitions = useMemo(
    () => props.columns.map((column) => toDefinition(column, isSortable, isFixed)),
    [props.columns, isSortable, isFixed],
  );
  const chosen = preferences?.columns;
  const visible = useMemo(() => visibleColumnIds(props.columns, chosen), [props.columns, chosen]);
  const display = useMemo(() => displayOf(definitions, visible), [definitions, visible]);
  const labels = useTableLabels(props);
  const rows = props.rows ?? [];
  const expanding = useExpanding(props);
  // A failed refresh keeps the rows and the empty state.
  const failed = props.rows === undefined && Boolean(props.query.error);
  return (
    <TablePlace>
      <Table<Row>
        className="dp-table"
        variant={props.variant ?? 'full-page'}
        items={rows}
        trackBy={props.rowKey}
        columnDefinitions={definitions}
        columnDisplay={display}
        stickyHeader={props.variant === undefined || props.variant === 'full-page'}
        stickyColumns={STICKY}
        resizableColumns={!props.withoutSettings}
        enableKeyboardNavigation
        wrapLines={preferences?.wrapLines ?? props.wrapLines ?? false}
        stripedRows={preferences?.stripedRows ?? false}
        loading={props.query.isPending}
        loadingText={t('app.table.loading')}
        // Set only while loading, because with a skeleton the table ignores its empty state
        // (components 3.0).
        {...(props.query.isPending ? { skeleton: SKELETON } : {})}
        ariaLabels={labels}
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
    </TablePlace>
  );
}

/** The page size that the user chose for a table. */
export function useTablePageSize(tableId: string): number {
  return pageSizeOf(usePreferences(), tableId);
}

/** Stable, because Cloudscape measures all columns after a change, and renders the cells again. */
function useTableLabels<Row>({
  label,
  rowLabel,
  rowKey,
  expandable,
}: DataTableProps<Row>): NonNullable<TableProps<Row>['ariaLabels']> {
  const t = useT();
  return useMemo(
    () => ({
      tableLabel: label,
      selectionGroupLabel: t('app.table.selection'),
      allItemsSelectionLabel: () => t('app.table.selectAll'),
      itemSelectionLabel: (_selection, row) =>
        t('app.table.selectRow', { row: (rowLabel ?? rowKey)(row) }),
      expandButtonLabel: (row) => expandable?.label(row, false) ?? '',
      collapseButtonLabel: (row) => expandable?.label(row, true) ?? '',
    }),
    [t, label, rowLabel, rowKey, expandable],
  );
}

/** All columns, the visible ones in their order first. */
function displayOf<Row>(
  definitions: readonly TableProps.ColumnDefinition<Row>[],
  visible: readonly string[],
): { readonly id: string; readonly visible: boolean }[] {
  return definitions
    .map(({ id = '' }) => ({ id, visible: visible.includes(id) }))
    .toSorted((one, other) => position(visible, one.id) - position(visible, other.id));
}

function position(visible: readonly string[], id: string): number {
  const index = visible.indexOf(id);
  return index === -1 ? visible.length : index;
}

function toDefinition<Row>(
  column: TableColumn<Row>,
  isSortable: boolean,
  isFixed: boolean,
): TableProps.ColumnDefinition<Row> {
  return {
    id: column.id,
    header: column.header,
    cell: column.numeric
      ? (row) => <span className="dp-number">{column.cell(row)}</span>
      : column.cell,
    ...(column.sort === undefined || !isSortable ? {} : { sortingField: column.sort }),
    ...(column.rowHeader ? { isRowHeader: true } : {}),
    ...(column.width === undefined ? {} : { width: column.width }),
    ...minWidthOf(column, isFixed),
  };
}

/** Pixels: columns that cannot be resized would otherwise shrink to one Chinese character. */
const LEAST_WIDTH = 100;

function minWidthOf<Row>(
  { minWidth, numeric }: TableColumn<Row>,
  isFixed: boolean,
): { readonly minWidth?: number } {
  if (minWidth !== undefined) return { minWidth };
  return isFixed && !numeric ? { minWidth: LEAST_WIDTH } : {};
}

/** The expanded rows, while the table is shown. */
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
