import CollectionPreferences from '@cloudscape-design/components/collection-preferences';
import type { ReactNode } from 'react';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '@deviceportal/contract/constants';
import { useT } from '../../i18n/use-t.ts';
import { updateTablePreferences, usePreferences } from '../preferences-store.ts';
import type { TableColumn } from './table-column.ts';

export interface TableSettingsProps<Row> {
  readonly tableId: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly visible: readonly string[];
}

/** Columns and their order, page size, wrapped lines, stripes: kept for the person and this table. */
export function TableSettings<Row>({
  tableId,
  columns,
  visible,
}: TableSettingsProps<Row>): ReactNode {
  const t = useT();
  const preferences = usePreferences().tables?.[tableId];
  const hidden = columns.filter((column) => !visible.includes(column.id)).map(({ id }) => id);
  return (
    <CollectionPreferences
      title={t('shell.table.settings')}
      confirmLabel={t('shell.save')}
      cancelLabel={t('shell.cancel')}
      preferences={{
        pageSize: preferences?.pageSize ?? DEFAULT_PAGE_SIZE,
        wrapLines: preferences?.wrapLines ?? false,
        stripedRows: preferences?.stripedRows ?? false,
        contentDisplay: [...visible, ...hidden].map((id) => ({
          id,
          visible: visible.includes(id),
        })),
      }}
      pageSizePreference={{
        title: t('shell.table.pageSize'),
        options: PAGE_SIZES.map((value) => ({
          value,
          label: t('shell.table.pageSizeOption', { count: value }),
        })),
      }}
      wrapLinesPreference={{
        label: t('shell.table.wrap'),
        description: t('shell.table.wrapDescription'),
      }}
      stripedRowsPreference={{
        label: t('shell.table.stripes'),
        description: t('shell.table.stripesDescription'),
      }}
      contentDisplayPreference={{
        title: t('shell.table.columns'),
        description: t('shell.table.columnsDescription'),
        options: columns.map(({ id, header, always }) => ({
          id,
          label: header,
          alwaysVisible: always ?? false,
        })),
      }}
      onConfirm={({ detail }) =>
        updateTablePreferences(tableId, {
          pageSize: detail.pageSize ?? DEFAULT_PAGE_SIZE,
          wrapLines: detail.wrapLines ?? false,
          stripedRows: detail.stripedRows ?? false,
          columns: (detail.contentDisplay ?? []).filter((item) => item.visible).map(({ id }) => id),
        })
      }
    />
  );
}
