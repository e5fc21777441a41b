import SpaceBetween from '@cloudscape-design/components/space-between';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { NoAccess } from '../ui/no-access.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useBreadcrumbs } from '../ui/page-slots.tsx';
import { ImportForm } from './import-form.tsx';
import { ImportHistory } from './import-history.tsx';

export const Route = createLazyRoute('/imports')({ component: ImportsPage });

const route = getRouteApi('/imports');

/** A new import, and the earlier ones of the viewer. */
function ImportsPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const { kind } = route.useSearch();
  const navigate = route.useNavigate();
  useBreadcrumbs([{ text: t('imports.title'), href: '/imports' }]);
  const mayDevices = may('devices:manage');
  if (!mayDevices && !may('people:manage'))
    return <NoAccess area={t('imports.title')} permission="devices:manage" />;
  const isPermitted = kind === 'devices' ? mayDevices : may('people:manage');
  const other = kind === 'devices' ? 'people' : 'devices';
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('imports.title')} description={t('imports.description')} />
      <ImportForm
        kind={isPermitted ? kind : other}
        onKind={(chosen) => void navigate({ search: { kind: chosen }, replace: true })}
      />
      <ImportHistory />
    </SpaceBetween>
  );
}
