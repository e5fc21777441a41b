import Header from '@cloudscape-design/components/header';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { ImportDetail } from '@deviceportal/contract/imports';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable, useTablePageSize } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { Time } from '../ui/time/time.tsx';
import { ImportStateOf } from './import-state.tsx';

/** The imports of the viewer. */
export function ImportHistory(): ReactNode {
  const t = useT();
  const api = useApi();
  const pageSize = useTablePageSize('imports');
  const pages = useKeysetPages(String(pageSize));
  const query = useQuery(
    api.imports.list.queryOptions(
      { pageSize, cursor: pages.cursor },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <DataTable
      id="imports"
      variant="container"
      label={t('imports.history')}
      columns={useImportColumns()}
      rows={query.data?.rows}
      rowKey={({ id }) => id}
      query={query}
      header={<Header variant="h2">{t('imports.history')}</Header>}
      empty={{ title: t('imports.none'), body: t('imports.noneBody') }}
      paging={{ pages, nextCursor: query.data?.nextCursor }}
    />
  );
}

function useImportColumns(): readonly TableColumn<ImportDetail>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'fileName',
        header: t('imports.fileName'),
        rowHeader: true,
        always: true,
        width: 240,
        cell: ({ id, fileName }) => <PortalLink href={`/imports/${id}`}>{fileName}</PortalLink>,
      },
      {
        id: 'kind',
        header: t('imports.kind'),
        width: 120,
        cell: ({ kind }) => t(`imports.kind.${kind}`),
      },
      {
        id: 'state',
        header: t('imports.state'),
        width: 180,
        cell: ({ state }) => <ImportStateOf state={state} />,
      },
      {
        id: 'rows',
        header: t('imports.rows'),
        numeric: true,
        width: 110,
        cell: ({ counts }) => format.number(counts.rows),
      },
      {
        id: 'createdAt',
        header: t('imports.startedAt'),
        width: 180,
        cell: ({ createdAt }) => <Time at={createdAt} />,
      },
    ],
    [t, format],
  );
}
