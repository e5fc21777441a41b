import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { CaseRow } from '@deviceportal/contract/cases';
import { useApi } from '../api/use-api.ts';
import { useCaseColumns } from '../cases/use-case-columns.tsx';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { refreshMs } from '../live/refresh-policy.ts';

const SHOWN = 5;
const shownColumns = new Set(['case', 'priority', 'due']);

export function useMyCases(enabled: boolean) {
  const api = useApi();
  return useQuery(
    api.cases.list.queryOptions(
      { assignee: 'me', state: 'open', sort: 'due', descending: false, pageSize: SHOWN },
      { enabled, refetchInterval: refreshMs.list },
    ),
  );
}

/** The open cases that are assigned to the viewer, the earliest due first. */
export function MyCasesCard({
  query,
}: {
  readonly query: ReturnType<typeof useMyCases>;
}): ReactNode {
  const t = useT();
  const all = useCaseColumns();
  const columns = useMemo(
    () =>
      all
        .filter(({ id }) => shownColumns.has(id))
        .map((column) => (column.id === 'case' ? withSubject(column) : column)),
    [all],
  );
  return (
    <DataTable
      id="home-cases"
      label={t('home.cases.title')}
      variant="container"
      withoutSettings
      wrapLines
      columns={columns}
      rows={query.data?.rows}
      rowKey={(row) => row.id}
      query={query}
      empty={{ title: t('home.cases.none') }}
      header={
        <Header
          variant="h2"
          actions={<PortalLink href="/cases?show=mine">{t('home.cases.all')}</PortalLink>}
        >
          {t('home.cases.title')}
        </Header>
      }
    />
  );
}

/** The subject below the case, because the card is too narrow for a column of it. */
const withSubject = (column: TableColumn<CaseRow>): TableColumn<CaseRow> => ({
  ...column,
  cell: (row) => (
    <>
      {column.cell(row)}
      <Box color="text-body-secondary" fontSize="body-s">
        {row.about}
      </Box>
    </>
  ),
});
