import Box from '@cloudscape-design/components/box';
import Drawer from '@cloudscape-design/components/drawer';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import type { RunRow } from '@deviceportal/contract/runs';
import { isFinal } from '@deviceportal/contract/states';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { StatusOf } from '../ui/status-of.tsx';
import { Time } from '../ui/time/time.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { MyAirBlasts } from '../air-blast/my-air-blasts.tsx';
import { MyReports } from '../reports/my-reports.tsx';
import { completedOf, failedOf } from './results/invocation-progress.ts';
import { runHref } from './runs/run-href.ts';
import './activity-panel.css';

const FINISHED_SHOWN = 20;

export interface ActivityPanelProps {
  /** The viewer’s unfinished runs. Undefined until loaded. */
  readonly running: readonly RunRow[] | undefined;
}

/** The viewer’s unfinished runs and the last twenty finished ones, with links to their results. */
export function ActivityPanel({ running }: ActivityPanelProps): ReactNode {
  const t = useT();
  const api = useApi();
  const { may } = useViewer();
  const query = useQuery(
    api.commands.listRuns.queryOptions({ mine: true, pageSize: 2 * FINISHED_SHOWN }),
  );
  const { refetch } = query;
  // A run that leaves the first list has finished and belongs in the second.
  const runningKey = running?.map((run) => run.id).join();
  useEffect(() => {
    if (runningKey !== undefined) void refetch();
  }, [runningKey, refetch]);
  const finished = query.data?.rows.filter((run) => isFinal(run.state)).slice(0, FINISHED_SHOWN);
  return (
    <Drawer header={<h2>{t('app.activity.label')}</h2>}>
      <SpaceBetween size="l">
        <RunList title={t('commands.activity.running')} runs={running} />
        {query.error === null ? (
          <RunList title={t('commands.activity.finished')} runs={finished} />
        ) : (
          <ErrorView error={query.error} place="inline" onRetry={() => void refetch()} />
        )}
        {may('air-blast:run') ? <MyAirBlasts /> : null}
        {may('reports:create') ? <MyReports /> : null}
        <PortalLink href="/commands?mine=1">{t('commands.activity.all')}</PortalLink>
      </SpaceBetween>
    </Drawer>
  );
}

interface RunListProps {
  readonly title: string;
  readonly runs: readonly RunRow[] | undefined;
}

function RunList({ title, runs }: RunListProps): ReactNode {
  const t = useT();
  return (
    <section>
      <Box variant="h3" padding={{ bottom: 'xs' }}>
        {title}{' '}
        {runs === undefined || runs.length === 0 ? null : (
          <Box variant="span" color="text-body-secondary" fontWeight="normal">
            ({runs.length})
          </Box>
        )}
      </Box>
      {runs === undefined ? <Spinner /> : null}
      {runs?.length === 0 ? (
        <Box color="text-body-secondary">{t('commands.activity.none')}</Box>
      ) : (
        <ul className="dp-activity">
          {runs?.map((run) => (
            <ActivityItem key={run.id} run={run} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ActivityItem({ run }: { readonly run: RunRow }): ReactNode {
  const t = useT();
  const format = useFormat();
  const failed = failedOf(run.counters);
  const many = run.deviceId === null;
  return (
    <li>
      <div className="dp-activity-line">
        <PortalLink href={runHref(run)}>{run.command}</PortalLink>
        <Box color="text-body-secondary" fontSize="body-s">
          <Time at={run.endedAt ?? run.createdAt} />
        </Box>
      </div>
      <Box fontSize="body-s">
        {many
          ? t('commands.target.count', { count: run.counters.target })
          : (run.serialNumber ?? run.deviceName)}
      </Box>
      <Box fontSize="body-s">
        <StatusOf
          kind="statusDetails"
          value={run.statusDetails}
          {...(many && !isFinal(run.state)
            ? { detail: format.percent(completedOf(run.counters).percent / 100) }
            : {})}
          {...(many && isFinal(run.state) && failed > 0
            ? { detail: t('commands.columns.failed', { count: failed }) }
            : {})}
        />
      </Box>
    </li>
  );
}
