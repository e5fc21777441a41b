import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ReportRow } from '@deviceportal/contract/reports';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { CopyFindings } from './copy-findings.tsx';
import { ReportBody } from './report-body.tsx';
import { ReportHashes } from './report-hashes.tsx';
import { ShareList } from './share-list.tsx';
import { useReportLayout } from './use-report-layout.ts';

/** A stored report. Opening another user’s report is recorded, which the page states. */
export function ReadReport({ row }: { readonly row: ReportRow }): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.reports.open.queryOptions(
      { id: row.id },
      { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, refetchOnMount: false },
    ),
  );
  const layout = useReportLayout(query.data);
  if (layout === undefined) {
    return query.error === null ? (
      <Box textAlign="center" padding="xl">
        <StatusIndicator type="loading">{t('reports.opening')}</StatusIndicator>
      </Box>
    ) : (
      <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />
    );
  }
  return (
    <SpaceBetween size="l">
      <Container
        header={
          <Header variant="h2" actions={<CopyFindings layout={layout} />}>
            {layout.title}
          </Header>
        }
      >
        {layout.subtitle.map((line) => (
          <div key={line}>{line}</div>
        ))}
        <Box color="text-body-secondary">
          {t(row.isMine ? 'reports.recorded.made' : 'reports.recorded.opened')}
        </Box>
      </Container>
      <ReportBody layout={layout} withLinks />
      <ShareList reportId={row.id} />
      <ReportHashes row={row} />
    </SpaceBetween>
  );
}
