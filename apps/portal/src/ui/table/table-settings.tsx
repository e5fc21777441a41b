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

/**
 * Columns and their order, page size, wrapped lines, and stripes, stored for the user and table.
 */
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
      title={t('app.table.settings')}
      confirmLabel={t('app.save')}
      cancelLabel={t('app.cancel')}
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
        title: t('app.table.pageSize'),
        options: PAGE_SIZES.map((value) => ({
          value,
          label: t('app.table.pageSizeOption', { count: value }),
        })),
      }}
      wrapLinesPreference={{
        label: t('app.table.wrap'),
        description: t('app.table.wrapDescription'),
      }}
      stripedRowsPreference={{
        label: t('app.table.stripes'),
        description: t('app.table.stripesDescription'),
      }}
      contentDisplayPreference={{
        title: t('app.table.columns'),
        description: t('app.table.columnsDescription'),
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
