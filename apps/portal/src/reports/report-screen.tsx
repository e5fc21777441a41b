import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ReportRow } from '@deviceportal/contract/reports';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useBreadcrumbs } from '../ui/page-slots.tsx';
import { StatusOf } from '../ui/status-of.tsx';
import { ReportActions } from './report-actions.tsx';
import { ReportEnded } from './report-ended.tsx';
import { reportHref } from './report-href.ts';
import { ReportProgressPanel } from './report-progress-panel.tsx';
import { ReadReport } from './read-report.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

const AT_FIRST = 15;

/** A report: its progress, then the report itself. */
export function ReportScreen({ id }: { readonly id: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.reports.get.queryOptions(
      { id },
      {
        refetchInterval: ({ state }) => {
          if (state.data !== undefined && state.data.endedAt !== null) return false;
          return state.dataUpdateCount < AT_FIRST ? refreshMs.soon : refreshMs.work;
        },
      },
    ),
  );
  const row = query.data;
  useBreadcrumbs([
    { text: t('app.nav.userReport'), href: '/reports/user-report' },
    { text: row?.personLabel ?? id, href: reportHref(id) },
  ]);
  if (row === undefined) {
    return query.error === null ? (
      <PageHeader title={t('reports.title')} />
    ) : (
      <ErrorView
        error={query.error}
        subject={{ kind: t('reports.title'), id }}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('reports.about', { name: row.personLabel })}
        description={<StatusOf kind="report" value={row.state} />}
        actions={<ReportActions row={row} />}
      />
      <Body row={row} onChanged={() => void query.refetch()} />
    </SpaceBetween>
  );
}

function Body({
  row,
  onChanged,
}: {
  readonly row: ReportRow;
  readonly onChanged: () => void;
}): ReactNode {
  if (row.state === 'ready') return <ReadReport row={row} />;
  if (row.endedAt === null) return <ReportProgressPanel row={row} onCancelled={onChanged} />;
  return <ReportEnded row={row} />;
}
