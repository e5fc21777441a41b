import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { roleName } from '../access/roles/role-words.ts';
import { AirBlastStatus } from '../air-blast/air-blast-status.tsx';
import { useApi } from '../api/use-api.ts';
import { runHref } from '../commands/runs/run-href.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { Time } from '../ui/time/time.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

const SHOWN = 5;

/** Items that need the viewer’s action: approvals, stalled rollouts, and failed runs. */
export function NeedsActionCard(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const mayBlast = may('air-blast:run') || may('air-blast:approve');
  return (
    <Container fitHeight header={<Header variant="h2">{t('home.waiting.title')}</Header>}>
      <div className="home-waiting">
        {may('access:manage') ? <AccessGrants /> : null}
        {may('documents:approve') ? <Reviews /> : null}
        {may('air-blast:approve') && may('commands:read') ? <AwaitingRuns /> : null}
        {mayBlast ? <StalledAirBlasts /> : null}
        {may('commands:read') ? <FailingRuns /> : null}
      </div>
    </Container>
  );
}

interface PartProps {
  readonly title: string;
  readonly all: string;
  readonly none: string;
  readonly query: {
    readonly error: unknown;
    readonly data: unknown;
    readonly refetch: () => unknown;
  };
  readonly items: readonly ReactNode[];
}

/** One kind of item: the first few, and a link to all. */
function Part({ title, all, none, query, items }: PartProps): ReactNode {
  return (
    <section>
      <Box variant="h3" fontSize="heading-xs">
        <PortalLink href={all}>{title}</PortalLink>
      </Box>
      {query.error !== null && query.data === undefined ? (
        <ErrorView error={query.error} place="inline" onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? null : items.length === 0 ? (
        <StatusIndicator>{none}</StatusIndicator>
      ) : (
        <ul className="home-list">{items}</ul>
      )}
    </section>
  );
}

/** Access requests that the viewer can decide. */
function AccessGrants(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.access.accessGrants.list.queryOptions({ open: true }, { refetchInterval: refreshMs.list }),
  );
  const rows = (query.data?.rows ?? []).filter(
    (row) => row.state === 'waiting' && row.obstacle === null,
  );
  return (
    <Part
      title={t('app.nav.accessGrants')}
      all="/uam/temporary-access"
      none={t('home.waiting.noAccessGrants')}
      query={query}
      items={rows.slice(0, SHOWN).map((row) => (
        <li key={row.id}>
          <PortalLink href="/uam/temporary-access">
            {t('home.waiting.accessGrant', { name: row.username, role: roleName(row.roleName, t) })}
          </PortalLink>
          <Time at={row.askedAt} />
        </li>
      ))}
    />
  );
}

function Reviews(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.documents.list.queryOptions(
      { waitingForMe: true, sort: 'updatedAt', descending: true },
      { refetchInterval: refreshMs.list },
    ),
  );
  const rows = query.data?.rows ?? [];
  return (
    <Part
      title={t('home.waiting.reviews')}
      all="/documents?waiting=true"
      none={t('home.waiting.noReviews')}
      query={query}
      items={rows.slice(0, SHOWN).map((row) => (
        <li key={row.name}>
          <PortalLink href={`/documents/${encodeURIComponent(row.name)}`}>{row.name}</PortalLink>
          <Time at={row.updatedAt} />
        </li>
      ))}
    />
  );
}

/** Rollouts whose next step, decision, or approval is up to the viewer. */
function StalledAirBlasts(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.airBlast.list.queryOptions({ waiting: true }, { refetchInterval: refreshMs.list }),
  );
  const rows = query.data?.rows ?? [];
  return (
    <Part
      title={t('home.waiting.airBlasts')}
      all="/air-blast?waiting=true"
      none={t('home.waiting.noAirBlasts')}
      query={query}
      items={rows.slice(0, SHOWN).map((row) => (
        <li key={row.id}>
          <PortalLink href={`/air-blast/${row.id}`}>{row.name}</PortalLink>
          <AirBlastStatus run={row} />
        </li>
      ))}
    />
  );
}

/** Runs that need an approval the viewer can give. */
function AwaitingRuns(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.commands.listRuns.queryOptions({ awaiting: true }, { refetchInterval: refreshMs.list }),
  );
  const rows = query.data?.rows ?? [];
  return (
    <Part
      title={t('home.waiting.approvals')}
      all="/commands?awaiting=true"
      none={t('home.waiting.noApprovals')}
      query={query}
      items={rows.slice(0, SHOWN).map((run) => (
        <li key={run.id}>
          <PortalLink href={runHref(run)}>
            {t('home.waiting.approval', { command: run.command, count: run.counters.target })}
          </PortalLink>
          <Time at={run.createdAt} />
        </li>
      ))}
    />
  );
}

function FailingRuns(): ReactNode {
  const t = useT();
  const api = useApi();
  const format = useFormat();
  const query = useQuery(
    api.commands.listRuns.queryOptions({ failing: true }, { refetchInterval: refreshMs.work }),
  );
  const rows = query.data?.rows ?? [];
  return (
    <Part
      title={t('home.waiting.runs')}
      all="/commands?failing=true"
      none={t('home.waiting.noRuns')}
      query={query}
      items={rows.slice(0, SHOWN).map((run) => (
        <li key={run.id}>
          <PortalLink href={runHref(run)}>{run.command}</PortalLink>
          <span>
            <StatusIndicator type="error">
              {t('home.waiting.failed', {
                failed: format.number(run.counters.failed + run.counters.timedOut),
                count: run.counters.target,
                target: format.number(run.counters.target),
              })}
            </StatusIndicator>{' '}
            <Time at={run.createdAt} />
          </span>
        </li>
      ))}
    />
  );
}
