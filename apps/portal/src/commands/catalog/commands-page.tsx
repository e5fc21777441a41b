import SpaceBetween from '@cloudscape-design/components/space-between';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { NoAccess } from '../../ui/no-access.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useBreadcrumbs } from '../../ui/page-slots.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import { CommandCatalog } from './command-catalog.tsx';
import { RunsTable } from '../runs/runs-table.tsx';
import '../commands.css';

export const Route = createLazyRoute('/commands')({ component: CommandsPage });

const SchedulesTable = lazy(async () => ({
  default: (await import('../schedules/schedules-table.tsx')).SchedulesTable,
}));

const route = getRouteApi('/commands');
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function CommandsPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useBreadcrumbs([{ text: t('app.nav.commands'), href: '/commands' }]);
  if (!may('commands:read')) {
    return <NoAccess area={t('app.nav.commands')} permission="commands:read" />;
  }
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('app.nav.commands')} description={t('commands.catalog.description')} />
      <CommandCatalog />
      <Suspense>
        <SchedulesTable />
      </Suspense>
      <RunsTable
        id="runs"
        filter={{
          mine: search.mine,
          active: search.active,
          awaiting: search.awaiting,
          failing: search.failing,
          endedOn: DAY.test(search.ended) ? search.ended : null,
          // Values of an outdated address that are not IDs are ignored.
          deviceId: UUID.test(search.device) ? search.device : null,
          documentName: search.document === '' ? null : search.document,
        }}
        onFilter={(change) =>
          void navigate({
            search: (old) => ({
              ...old,
              ...(change.mine === undefined ? {} : { mine: change.mine }),
              ...(change.active === undefined ? {} : { active: change.active }),
              ...(change.awaiting === undefined ? {} : { awaiting: change.awaiting }),
              ...(change.failing === undefined ? {} : { failing: change.failing }),
              ...(change.endedOn === undefined ? {} : { ended: change.endedOn ?? '' }),
              ...(change.deviceId === undefined ? {} : { device: change.deviceId ?? '' }),
            }),
            replace: true,
          })
        }
      />
    </SpaceBetween>
  );
}
