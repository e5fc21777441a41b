import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useCaseColumns } from '../cases/use-case-columns.tsx';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

const SHOWN = 5;
const shownColumns = new Set(['case', 'priority', 'due', 'about']);

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
  const columns = useMemo(() => all.filter(({ id }) => shownColumns.has(id)), [all]);
  return (
    <DataTable
      id="home-cases"
      label={t('home.cases.title')}
      variant="container"
      withoutSettings
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
