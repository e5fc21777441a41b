import Alert from '@cloudscape-design/components/alert';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { COMMAND_RESULT_REFRESH_INTERVAL_MS } from '@deviceportal/contract/constants';
import type { BusyRun } from '@deviceportal/contract/leases';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { commandHref } from './command-href.ts';

/** Whose running step a run waits for, while it does. */
export function WaitsBehind({
  runId,
  isOpen,
}: {
  readonly runId: string;
  readonly isOpen: boolean;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const { data = [] } = useQuery(
    api.commands.waitsBehind.queryOptions(
      { runId },
      { enabled: isOpen, refetchInterval: COMMAND_RESULT_REFRESH_INTERVAL_MS },
    ),
  );
  if (!isOpen || data.length === 0) return null;
  return (
    <Alert type="info" header={t('commands.busy.waits')}>
      <BusyRuns runs={data} />
    </Alert>
  );
}

/** Runs of others that hold devices, each with the way to its output. */
export function BusyRuns({ runs }: { readonly runs: readonly BusyRun[] }): ReactNode {
  const t = useT();
  return (
    <ul className="dp-command-list">
      {runs.map(({ runId, command, holder, count }) => (
        <li key={runId}>
          <PortalLink href={commandHref(command, { run: runId })}>
            {t('commands.busy.with', { command, holder, count })}
          </PortalLink>
        </li>
      ))}
    </ul>
  );
}
