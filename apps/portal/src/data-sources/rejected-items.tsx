import Header from '@cloudscape-design/components/header';
import { useMemo, type ReactNode } from 'react';
import type { RejectedItem } from '@deviceportal/contract/data-sources';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';

export interface RejectedItemsProps {
  /** The newest ones. */
  readonly items: readonly RejectedItem[];
  readonly count: number;
}

const loaded = { isPending: false, error: null, refetch: () => undefined };

/** Items of an outside table that were set aside. */
export function RejectedItems({ items, count }: RejectedItemsProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const columns = useMemo(
    (): readonly TableColumn<RejectedItem>[] => [
      {
        id: 'key',
        header: t('dataSources.rejected.key'),
        cell: ({ key }) => <CopyableId value={key} />,
        rowHeader: true,
        minWidth: 200,
      },
      {
        id: 'reason',
        header: t('dataSources.rejected.reason'),
        cell: ({ reason }) => t(`dataSources.rejection.${reason}`),
        minWidth: 160,
      },
      {
        id: 'detail',
        header: t('dataSources.rejected.detail'),
        cell: ({ detail }) => (detail === '' ? '-' : <span lang="en">{detail}</span>),
        minWidth: 200,
      },
      {
        id: 'at',
        header: t('dataSources.rejected.at'),
        cell: ({ at }) => <Time at={at} style="exact" />,
        minWidth: 200,
      },
    ],
    [t],
  );
  const title = t('dataSources.section.rejected');
  return (
    <DataTable
      id="rejected-items"
      variant="container"
      label={title}
      withoutSettings
      wrapLines
      columns={columns}
      rows={items}
      rowKey={({ key, at }) => `${at} ${key}`}
      query={loaded}
      empty={{ title: t('dataSources.rejected.none') }}
      header={
        <Header
          variant="h2"
          counter={
            count > items.length
              ? `(${format.number(items.length)}/${format.number(count)})`
              : `(${format.number(count)})`
          }
        >
          {title}
        </Header>
      }
    />
  );
}
