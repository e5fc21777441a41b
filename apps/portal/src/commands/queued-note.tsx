import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import type { LockHolderRun } from '@deviceportal/contract/change-locks';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { commandHref } from './command-href.ts';

/**
 * States in a list which run another run is queued behind, with a link. Renders nothing if it is
 * not queued.
 */
export function QueuedNote({
  behind: [first, ...others] = [],
}: {
  readonly behind: readonly LockHolderRun[] | undefined;
}): ReactNode {
  const t = useT();
  if (first === undefined) return null;
  const { runId, command, holder } = first;
  return (
    <Box variant="span" display="block" fontSize="body-s" color="text-body-secondary">
      <PortalLink href={commandHref(command, { run: runId })}>
        {t('commands.busy.behind', { command, holder, more: others.length })}
      </PortalLink>
    </Box>
  );
}
