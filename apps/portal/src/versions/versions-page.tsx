import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { NoAccess } from '../ui/no-access.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useHelp } from '../ui/page-slots.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { ComponentsPane } from './components-pane.tsx';
import { VersionsHelp } from './versions-help.tsx';

const PackagesPane = lazy(async () => ({
  default: (await import('./packages-pane.tsx')).PackagesPane,
}));

const ModelConsentsTable = lazy(async () => ({
  default: (await import('../terminals/model-consents-table.tsx')).ModelConsentsTable,
}));

export const Route = createLazyRoute('/tavs')({ component: VersionsPage });

const route = getRouteApi('/tavs');

function VersionsPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  if (!may('versions:read')) {
    return <NoAccess area={t('app.nav.versions')} permission="versions:read" />;
  }
  return <Versions />;
}

/** Software in the fleet: components with their approvals, packages of package managers, and device models. */
function Versions(): ReactNode {
  const t = useT();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useHelp(useMemo(() => <VersionsHelp />, []));
  const change = (part: { readonly q?: string; readonly tab?: string }): void =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true, resetScroll: false });
  const { may } = useViewer();
  const areas = (['components', 'packages', 'models'] as const).filter(
    (id) => id !== 'models' || may('terminal:consent'),
  );
  const shown = areas.find((id) => id === search.area) ?? 'components';
  const show = (area: 'packages' | 'models' | ''): void =>
    void navigate({ search: { area }, resetScroll: false });
  return (
    <SpaceBetween size="m">
      <PageHeader title={t('app.nav.versions')} description={t('versions.description')} />
      <SegmentedControl
        label={t('versions.area')}
        selectedId={shown}
        options={areas.map((id) => ({
          id,
          text: t(`versions.area.${id}`),
        }))}
        onChange={({ detail: { selectedId } }) =>
          show(selectedId === 'packages' || selectedId === 'models' ? selectedId : '')
        }
      />
      {shown === 'models' ? (
        <Suspense fallback={null}>
          <ModelConsentsTable />
        </Suspense>
      ) : shown === 'packages' ? (
        <Suspense fallback={null}>
          <PackagesPane text={search.q} onText={(q) => change({ q })} chosen={search.package} />
        </Suspense>
      ) : (
        <ComponentsPane
          chosen={search.component}
          text={search.q}
          tab={search.tab}
          onChange={change}
        />
      )}
    </SpaceBetween>
  );
}
