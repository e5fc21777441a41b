import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { CopyableId } from '../ui/copyable-id.tsx';
import { NoAccess } from '../ui/no-access.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useRefresh } from '../ui/page-slots.tsx';
import { PendingPage } from '../ui/pending-page.tsx';
import { TableEmpty } from '../ui/table/table-empty.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { AccessKeysPane } from './access-keys-pane.tsx';
import { ApplicationsPane } from './applications-pane.tsx';
import { ConnectionsPane } from './connections-pane.tsx';
import { DepartmentsPane } from './departments-pane.tsx';
import { providerTabs } from './provider-search.ts';
import { RolesPane } from './roles-pane.tsx';
import { SamlPane } from './saml-pane.tsx';

export const Route = createLazyRoute('/uam/provider')({ component: ProviderPage });

const route = getRouteApi('/uam/provider');

/** The identity provider at `/idp`: applications, connections, departments, and roles. */
function ProviderPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  return may('provider:read') ? (
    <Provider />
  ) : (
    <NoAccess area={t('app.nav.identityProvider')} permission="provider:read" />
  );
}

function Provider(): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const facts = useQuery(api.provider.get.queryOptions());
  useRefresh(
    useCallback(
      () => void queryClient.invalidateQueries(api.provider.pathFilter()),
      [queryClient, api],
    ),
  );
  if (facts.data === undefined) {
    if (facts.error === null) return <PendingPage />;
    return <ErrorView error={facts.error} onRetry={() => void facts.refetch()} />;
  }
  const { host, signsPortalIn } = facts.data;
  return (
    <SpaceBetween size="m">
      <PageHeader
        title={t('app.nav.identityProvider')}
        description={t(
          signsPortalIn
            ? 'identityProvider.description.portal'
            : 'identityProvider.description.programs',
        )}
        {...(host === null
          ? {}
          : { actions: <CopyableId value={host} name={t('identityProvider.host')} /> })}
      />
      {host === null ? (
        <TableEmpty
          words={{ title: t('identityProvider.none'), body: t('identityProvider.noneHint') }}
        />
      ) : (
        <Panes />
      )}
    </SpaceBetween>
  );
}

function Panes(): ReactNode {
  const t = useT();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Tabs
      activeTabId={tab === '' ? 'applications' : tab}
      ariaLabel={t('app.nav.identityProvider')}
      onChange={({ detail: { activeTabId } }) => {
        const chosen = providerTabs.find((each) => each === activeTabId) ?? '';
        void navigate({ search: { tab: chosen, of: '' }, replace: true, resetScroll: false });
      }}
      tabs={[
        {
          id: 'applications',
          label: t('identityProvider.applications'),
          content: <ApplicationsPane />,
        },
        {
          id: 'connections',
          label: t('identityProvider.connections'),
          content: <ConnectionsPane />,
        },
        {
          id: 'departments',
          label: t('identityProvider.departments'),
          content: <DepartmentsPane />,
        },
        { id: 'roles', label: t('identityProvider.roles'), content: <RolesPane /> },
        { id: 'access-keys', label: t('identityProvider.keys'), content: <AccessKeysPane /> },
        { id: 'saml', label: t('identityProvider.saml'), content: <SamlPane /> },
      ]}
    />
  );
}
