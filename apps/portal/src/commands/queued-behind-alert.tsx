import Alert from '@cloudscape-design/components/alert';
import type { ReactNode } from 'react';
import type { LockHolderRun } from '@deviceportal/contract/change-locks';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { commandHref } from './command-href.ts';
import { useQueuedBehind } from './use-queued-behind.ts';

/** States which run another run is queued behind. */
export function QueuedBehindAlert({
  runId,
  isOpen,
}: {
  readonly runId: string;
  readonly isOpen: boolean;
}): ReactNode {
  const t = useT();
  const behind = useQueuedBehind(isOpen ? [runId] : []).get(runId);
  if (!isOpen || behind === undefined) return null;
  return (
    <Alert type="info" header={t('commands.busy.waits')}>
      <LockHolderRuns runs={behind} />
    </Alert>
  );
}

/** Runs of other users with change locks, with links to their output. */
export function LockHolderRuns({ runs }: { readonly runs: readonly LockHolderRun[] }): ReactNode {
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
