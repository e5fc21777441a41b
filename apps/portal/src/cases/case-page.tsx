import Grid from '@cloudscape-design/components/grid';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import type { CaseDetail } from '@deviceportal/contract/cases';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { useWatch } from '../live/use-watch.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { NoAccess } from '../ui/no-access.tsx';
import { useBreadcrumbs, useRefresh } from '../ui/page-slots.tsx';
import { PendingPage } from '../ui/pending-page.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { CaseDevices } from './case-devices.tsx';
import { CaseFacts } from './case-facts.tsx';
import { CaseHeader } from './case-header.tsx';
import { CaseTimeline } from './case-timeline.tsx';
import { NoteForm } from './note-form.tsx';
import { ReportOffer } from './report-offer.tsx';
import { refreshMs } from '../live/refresh-policy.ts';
import './cases.css';

export const Route = createLazyRoute('/cases/$id')({ component: CasePage });

const route = getRouteApi('/cases/$id');

/** A case with its timeline, live while it is open. */
function CasePage(): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const { may } = useViewer();
  const { id } = route.useParams();
  const mayRead = may('cases:read') || may('cases:manage');
  const query = useQuery(
    api.cases.get.queryOptions({ id }, { enabled: mayRead, refetchInterval: refreshMs.list }),
  );
  const askAgain = useCallback(
    () => void queryClient.invalidateQueries(api.cases.pathFilter()),
    [queryClient, api],
  );
  useWatch(query.data === undefined ? null : { kind: 'case', id }, askAgain);
  useRefresh(askAgain);
  useBreadcrumbs([
    { text: t('app.nav.cases'), href: '/cases' },
    ...(query.data ? [{ text: query.data.person.name, href: `/cases/${id}` }] : []),
  ]);
  if (!mayRead) return <NoAccess area={t('app.nav.cases')} permission="cases:read" />;
  if (query.data !== undefined) return <Case found={query.data} />;
  if (query.error === null) return <PendingPage />;
  return (
    <ErrorView
      error={query.error}
      place="page"
      subject={{ kind: t('cases.kind'), id }}
      onRetry={() => void query.refetch()}
    />
  );
}

function Case({ found }: { readonly found: CaseDetail }): ReactNode {
  const { may } = useViewer();
  return (
    <SpaceBetween size="l">
      <CaseHeader found={found} />
      {found.state === 'closed' ? <ReportOffer found={found} /> : null}
      <Grid
        gridDefinition={[{ colspan: { default: 12, m: 8 } }, { colspan: { default: 12, m: 4 } }]}
      >
        <SpaceBetween size="l">
          {found.state === 'open' && may('cases:manage') ? <NoteForm id={found.id} /> : null}
          <CaseTimeline found={found} />
        </SpaceBetween>
        <SpaceBetween size="l">
          <CaseFacts found={found} />
          <CaseDevices devices={found.devices} />
        </SpaceBetween>
      </Grid>
    </SpaceBetween>
  );
}
