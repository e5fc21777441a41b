import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import type { AirBlastRow } from '@deviceportal/contract/air-blast';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { NoAccess } from '../ui/no-access.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useBreadcrumbs } from '../ui/page-slots.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable, useTablePageSize } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { Time } from '../ui/time/time.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { AirBlastStatus } from './air-blast-status.tsx';
import { firstFields } from './plan/plan-fields.ts';
import { PlanForm } from './plan/plan-form.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

export const Route = createLazyRoute('/air-blast')({ component: AirBlastsPage });

const route = getRouteApi('/air-blast');

function AirBlastsPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const search = route.useSearch();
  const { plan } = search;
  const navigate = route.useNavigate();
  useBreadcrumbs([{ text: t('app.nav.airBlast'), href: '/air-blast' }]);
  if (!may('air-blast:run') && !may('air-blast:approve')) {
    return <NoAccess area={t('app.nav.airBlast')} permission="air-blast:run" />;
  }
  const open = (isOpen: boolean): void => void navigate({ search: { plan: isOpen } });
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('app.nav.airBlast')}
        description={t('airBlast.description')}
        actions={
          plan ? null : (
            <Button
              variant="primary"
              disabled={!may('air-blast:run')}
              disabledReason={t('app.needsPermission', { permission: 'air-blast:run' })}
              onClick={() => open(true)}
            >
              {t('airBlast.new')}
            </Button>
          )
        }
      />
      {plan && may('air-blast:run') ? (
        <PlanForm
          first={firstFields(search)}
          onFrozen={({ id }) => navigateTo(`/air-blast/${id}`)}
          onCancel={() => open(false)}
        />
      ) : (
        <RunsOfAirBlast />
      )}
    </SpaceBetween>
  );
}

function RunsOfAirBlast(): ReactNode {
  const t = useT();
  const api = useApi();
  const { mine, active, waiting } = route.useSearch();
  const navigate = route.useNavigate();
  const pageSize = useTablePageSize('air-blasts');
  const pages = useKeysetPages(JSON.stringify([mine, active, waiting, pageSize]));
  const query = useQuery(
    api.airBlast.list.queryOptions(
      { mine, active, waiting, pageSize, cursor: pages.cursor },
      { placeholderData: keepPreviousData, refetchInterval: refreshMs.work },
    ),
  );
  const filter = (change: { mine?: boolean; active?: boolean; waiting?: boolean }): void =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  return (
    <DataTable
      id="air-blasts"
      label={t('airBlast.runs')}
      columns={useAirBlastColumns()}
      rows={query.data?.rows}
      rowKey={(run) => run.id}
      query={query}
      header={
        <Header
          variant="h2"
          actions={
            <SpaceBetween direction="horizontal" size="m">
              <Toggle
                checked={waiting}
                onChange={({ detail }) => filter({ waiting: detail.checked })}
              >
                {t('airBlast.waiting')}
              </Toggle>
              <Toggle checked={mine} onChange={({ detail }) => filter({ mine: detail.checked })}>
                {t('airBlast.mine')}
              </Toggle>
              <Toggle
                checked={active}
                onChange={({ detail }) => filter({ active: detail.checked })}
              >
                {t('airBlast.active')}
              </Toggle>
            </SpaceBetween>
          }
        >
          {t('airBlast.runs')}
        </Header>
      }
      empty={{ title: t('airBlast.none'), body: t('airBlast.noneBody') }}
      onClearFilter={
        mine || active || waiting
          ? () => filter({ mine: false, active: false, waiting: false })
          : undefined
      }
      paging={{ pages, nextCursor: query.data?.nextCursor }}
      variant="container"
      wrapLines
    />
  );
}

function useAirBlastColumns(): readonly TableColumn<AirBlastRow>[] {
  const t = useT();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('airBlast.name'),
        width: 200,
        rowHeader: true,
        always: true,
        cell: (run) => <PortalLink href={`/air-blast/${run.id}`}>{run.name}</PortalLink>,
      },
      {
        id: 'state',
        header: t('airBlast.state'),
        width: 230,
        cell: (run) => <AirBlastStatus run={run} />,
      },
      { id: 'change', header: t('airBlast.change'), width: 200, cell: (run) => run.change },
      {
        id: 'devices',
        header: t('airBlast.devices'),
        numeric: true,
        width: 100,
        cell: (run) => run.targetCount,
      },
      {
        id: 'operator',
        header: t('airBlast.operator'),
        cell: (run) => run.operator,
        width: 200,
      },
      {
        id: 'createdAt',
        header: t('airBlast.createdAt'),
        width: 140,
        cell: (run) => <Time at={run.createdAt} />,
      },
    ],
    [t],
  );
}
