import Tabs from '@cloudscape-design/components/tabs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { NoAccess } from '../ui/no-access.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import './api-calls.css';
import { CallsSummary } from './calls-summary.tsx';
import { CallsTable, type CallsAddress } from './calls-table.tsx';

export const Route = createLazyRoute('/api-calls')({ component: ApiCallsPage });

const route = getRouteApi('/api-calls');

function ApiCallsPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  if (!may('api-calls:read')) {
    return <NoAccess area={t('app.nav.apiCalls')} permission="api-calls:read" />;
  }
  return <ApiCalls />;
}

/** API calls with their results: a summary, history, and list. */
function ApiCalls(): ReactNode {
  const t = useT();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = useMemo(
    () =>
      (part: Partial<CallsAddress> & { tab?: string; sum?: string }): void =>
        void navigate({
          search: (old) => ({ ...old, ...part }),
          replace: true,
          resetScroll: false,
        }),
    [navigate],
  );
  return (
    <SpaceBetween size="m">
      <PageHeader title={t('app.nav.apiCalls')} description={t('apiCalls.description')} />
      <Tabs
        activeTabId={search.tab === 'procedures' ? 'procedures' : 'calls'}
        onChange={({ detail }) =>
          change({ tab: detail.activeTabId === 'calls' ? '' : detail.activeTabId })
        }
        ariaLabel={t('app.nav.apiCalls')}
        tabs={[
          {
            id: 'calls',
            label: t('apiCalls.tab.calls'),
            content: <CallsTable address={search} onChange={change} />,
          },
          {
            id: 'procedures',
            label: t('apiCalls.tab.procedures'),
            content: <CallsSummary period={search.sum} onPeriod={(sum) => change({ sum })} />,
          },
        ]}
      />
    </SpaceBetween>
  );
}
