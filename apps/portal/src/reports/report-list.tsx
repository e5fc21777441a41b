import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { ReportRow } from '@deviceportal/contract/reports';
import { useApi } from '../api/use-api.ts';
import { useFormat, type Formatters } from '../i18n/format-values.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { useRefresh } from '../ui/page-slots.tsx';
import { StatusOf } from '../ui/status-of.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { reportHref } from './report-href.ts';
import { refreshWhile } from '../live/refresh-policy.ts';

const SHOWN = 25;

/** Reports, of one person if selected. */
export function ReportList({ personId }: { readonly personId: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const format = useFormat();
  const query = useQuery(
    api.reports.list.queryOptions(
      { personId: personId === '' ? null : personId, pageSize: SHOWN },
      {
        refetchInterval: (asked) =>
          refreshWhile(
            asked.state.data?.rows.some(({ endedAt }) => endedAt === null),
            asked,
          ),
      },
    ),
  );
  useRefresh(() => void query.refetch());
  const columns = useMemo(() => columnsOf(t, format), [t, format]);
  return (
    <DataTable
      id="reports"
      label={t('reports.list')}
      variant="container"
      withoutSettings
      columns={columns}
      rows={query.data?.rows}
      rowKey={({ id }) => id}
      query={query}
      empty={{ title: t('reports.none'), body: t('reports.noneBody') }}
      header={<Header variant="h2">{t('reports.list')}</Header>}
    />
  );
}

function columnsOf(t: Translate, format: Formatters): TableColumn<ReportRow>[] {
  return [
    {
      id: 'person',
      header: t('reports.person'),
      cell: (row) => <PortalLink href={reportHref(row.id)}>{row.personLabel}</PortalLink>,
      rowHeader: true,
      width: 200,
    },
    {
      id: 'state',
      header: t('reports.state'),
      cell: (row) => <StatusOf kind="report" value={row.state} />,
      width: 150,
    },
    {
      id: 'period',
      header: t('reports.period'),
      cell: (row) =>
        `${format.absolute(Date.parse(row.from), 'UTC')} – ${format.absolute(Date.parse(row.to), 'UTC')}`,
      width: 340,
    },
    {
      id: 'voice',
      header: t('reports.voice'),
      cell: (row) =>
        `${t(`reports.voice.${row.voice}`)} · ${t(`reports.language.${row.language}`)}`,
      width: 190,
    },
    {
      id: 'findings',
      header: t('reports.findings'),
      cell: (row) => (row.state === 'ready' ? format.number(row.findings) : '-'),
      numeric: true,
      width: 110,
    },
    {
      id: 'created',
      header: t('reports.made'),
      cell: (row) => <Time at={row.createdAt} />,
      width: 150,
    },
    { id: 'by', header: t('reports.by'), cell: (row) => row.createdBy, width: 220 },
  ];
}
