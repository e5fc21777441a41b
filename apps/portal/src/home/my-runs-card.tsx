import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { RunRow } from '@deviceportal/contract/runs';
import { isFinal } from '@deviceportal/contract/states';
import { useApi } from '../api/use-api.ts';
import { runName } from '../commands/runs/run-name.ts';
import { runHref } from '../commands/runs/run-href.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { StatusOf } from '../ui/status-of.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { refreshWhile } from '../live/refresh-policy.ts';

const SHOWN = 5;

/**
 * The viewer’s runs. Unfinished ones are refreshed every ten seconds (docs/design/portal.md,
 * section 4).
 */
export function MyRunsCard(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.commands.listRuns.queryOptions(
      { mine: true, pageSize: SHOWN },
      {
        refetchInterval: (asked) =>
          refreshWhile(
            asked.state.data?.rows.some((run) => !isFinal(run.state)),
            asked,
          ),
      },
    ),
  );
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <DataTable
      id="home-runs"
      label={t('home.runs.title')}
      variant="container"
      withoutSettings
      columns={columns}
      rows={query.data?.rows}
      rowKey={(run) => run.id}
      query={query}
      empty={{ title: t('home.runs.none') }}
      header={
        <Header
          variant="h2"
          actions={<PortalLink href="/commands">{t('home.runs.all')}</PortalLink>}
        >
          {t('home.runs.title')}
        </Header>
      }
    />
  );
}

function columnsOf(t: Translate): TableColumn<RunRow>[] {
  return [
    {
      id: 'command',
      header: t('home.runs.command'),
      rowHeader: true,
      cell: (run) => <PortalLink href={runHref(run)}>{runName(run)}</PortalLink>,
    },
    {
      id: 'state',
      header: t('home.runs.state'),
      cell: (run) => <StatusOf kind="statusDetails" value={run.statusDetails} />,
    },
    {
      id: 'target',
      header: t('home.runs.target'),
      cell: (run) =>
        run.deviceId === null ? (
          t('home.runs.devices', { count: run.counters.target })
        ) : (
          <PortalLink href={`/devices/${run.deviceId}`}>
            {run.serialNumber ?? run.deviceName}
          </PortalLink>
        ),
    },
    { id: 'started', header: t('home.runs.started'), cell: (run) => <Time at={run.createdAt} /> },
  ];
}
