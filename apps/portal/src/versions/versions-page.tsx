import Grid from '@cloudscape-design/components/grid';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { NoAccess } from '../shell/no-access.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { useRefresh } from '../shell/page-slots.tsx';
import { useViewer } from '../shell/viewer-context.tsx';
import { ComponentsTable } from './components-table.tsx';
import { InstalledTable } from './installed-table.tsx';

export const Route = createLazyRoute('/tavs')({ component: VersionsPage });

const route = getRouteApi('/tavs');

function VersionsPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  if (!may('versions:read')) {
    return <NoAccess area={t('shell.nav.versions')} permission="versions:read" />;
  }
  return <Versions />;
}

/** What runs where: the components that devices report, and how far each version has spread. */
function Versions(): ReactNode {
  const t = useT();
  const api = useApi();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const components = useQuery(api.versions.listComponents.queryOptions());
  const { refetch } = components;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const chosen = search.component === '' ? components.data?.[0]?.component : search.component;
  const isEmpty = components.data?.length === 0;
  const change = (part: { q: string }): void =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true, resetScroll: false });
  return (
    <SpaceBetween size="m">
      <PageHeader title={t('shell.nav.versions')} description={t('versions.description')} />
      <Grid
        gridDefinition={[
          { colspan: { default: 12, m: isEmpty ? 12 : 4 } },
          { colspan: { default: 12, m: 8 } },
        ]}
      >
        <ComponentsTable
          query={components}
          components={components.data}
          chosen={chosen}
          text={search.q}
          onText={(q) => change({ q })}
        />
        {chosen === undefined ? <div /> : <InstalledTable key={chosen} component={chosen} />}
      </Grid>
    </SpaceBetween>
  );
}
