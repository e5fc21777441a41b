import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { roleName } from '../access/roles/role-words.ts';
import { AirBlastStatus } from '../air-blast/air-blast-status.tsx';
import { useApi } from '../api/use-api.ts';
import { runName } from '../commands/runs/run-name.ts';
import { runHref } from '../commands/runs/run-href.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { Time } from '../ui/time/time.tsx';

const SHOWN = 5;

/** One kind of item that needs the viewer’s action: the first few, and a link to all. */
export interface NeedsActionPart {
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

/** Approvals, stalled rollouts, and failed runs that the viewer can act on. */
export function useNeedsAction(): readonly NeedsActionPart[] {
  const { may } = useViewer();
  const parts = [
    useAccessGrants(may('access:manage')),
    useReviews(may('documents:approve')),
    useAwaitingRuns(may('air-blast:approve') && may('commands:read')),
    useStalledAirBlasts(may('air-blast:run') || may('air-blast:approve')),
    useFailingRuns(may('commands:read')),
  ];
  return parts.filter((part) => part !== null);
}

/** Access requests that the viewer can decide. */
function useAccessGrants(enabled: boolean): NeedsActionPart | null {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.access.accessGrants.list.queryOptions(
      { open: true },
      { enabled, refetchInterval: refreshMs.list },
    ),
  );
  const rows = (query.data?.rows ?? []).filter(
    (row) => row.state === 'waiting' && row.obstacle === null,
  );
  if (!enabled) return null;
  return {
    title: t('app.nav.accessGrants'),
    all: '/uam/temporary-access',
    none: t('home.waiting.noAccessGrants'),
    query,
    items: rows.slice(0, SHOWN).map((row) => (
      <li key={row.id}>
        <PortalLink href="/uam/temporary-access">
          {t('home.waiting.accessGrant', { name: row.username, role: roleName(row.roleName, t) })}
        </PortalLink>
        <Time at={row.askedAt} />
      </li>
    )),
  };
}

function useReviews(enabled: boolean): NeedsActionPart | null {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.documents.list.queryOptions(
      { waitingForMe: true, sort: 'updatedAt', descending: true },
      { enabled, refetchInterval: refreshMs.list },
    ),
  );
  const rows = query.data?.rows ?? [];
  if (!enabled) return null;
  return {
    title: t('home.waiting.reviews'),
    all: '/documents?waiting=true',
    none: t('home.waiting.noReviews'),
    query,
    items: rows.slice(0, SHOWN).map((row) => (
      <li key={row.name}>
        <PortalLink href={`/documents/${encodeURIComponent(row.name)}`}>{row.name}</PortalLink>
        <Time at={row.updatedAt} />
      </li>
    )),
  };
}

/** Rollouts whose next step, decision, or approval is up to the viewer. */
function useStalledAirBlasts(enabled: boolean): NeedsActionPart | null {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.airBlast.list.queryOptions({ waiting: true }, { enabled, refetchInterval: refreshMs.list }),
  );
  const rows = query.data?.rows ?? [];
  if (!enabled) return null;
  return {
    title: t('home.waiting.airBlasts'),
    all: '/air-blast?waiting=true',
    none: t('home.waiting.noAirBlasts'),
    query,
    items: rows.slice(0, SHOWN).map((row) => (
      <li key={row.id}>
        <PortalLink href={`/air-blast/${row.id}`}>{row.name}</PortalLink>
        <AirBlastStatus run={row} />
      </li>
    )),
  };
}

/** Runs that need an approval the viewer can give. */
function useAwaitingRuns(enabled: boolean): NeedsActionPart | null {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.commands.listRuns.queryOptions(
      { awaiting: true },
      { enabled, refetchInterval: refreshMs.list },
    ),
  );
  const rows = query.data?.rows ?? [];
  if (!enabled) return null;
  return {
    title: t('home.waiting.approvals'),
    all: '/commands?awaiting=true',
    none: t('home.waiting.noApprovals'),
    query,
    items: rows.slice(0, SHOWN).map((run) => (
      <li key={run.id}>
        <PortalLink href={runHref(run)}>
          {t('home.waiting.approval', { command: runName(run), count: run.counters.target })}
        </PortalLink>
        <Time at={run.createdAt} />
      </li>
    )),
  };
}

function useFailingRuns(enabled: boolean): NeedsActionPart | null {
  const t = useT();
  const api = useApi();
  const format = useFormat();
  const query = useQuery(
    api.commands.listRuns.queryOptions(
      { failing: true },
      { enabled, refetchInterval: refreshMs.work },
    ),
  );
  const rows = query.data?.rows ?? [];
  if (!enabled) return null;
  return {
    title: t('home.waiting.runs'),
    all: '/commands?failing=true',
    none: t('home.waiting.noRuns'),
    query,
    items: rows.slice(0, SHOWN).map((run) => (
      <li key={run.id}>
        <PortalLink href={runHref(run)}>{runName(run)}</PortalLink>
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
    )),
  };
}
