import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ChangeLock } from '@deviceportal/contract/change-locks';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { Time } from '../../ui/time/time.tsx';
import { commandHref } from '../command-href.ts';
import type { OthersChangeLocks } from './use-change-locks.ts';

export interface LockedDeviceProps {
  readonly others: OthersChangeLocks;
  /** Whether the command is queued. */
  readonly queues: boolean;
  readonly onQueue: (queues: boolean) => void;
}

/** States that another user has the change lock of the device, and offers to queue the command. */
export function LockedDevice({ others, queues, onQueue }: LockedDeviceProps): ReactNode {
  const t = useT();
  if (others.locks.length === 0) return null;
  return (
    <Alert type="warning" header={t('commands.busy.title')}>
      <SpaceBetween size="s">
        {others.locks.map((lock) => (
          <RunningStep key={lock.invocationId} lock={lock} onStopped={others.refetch} />
        ))}
        <Checkbox checked={queues} onChange={({ detail }) => onQueue(detail.checked)}>
          {t('commands.busy.queue')}
        </Checkbox>
      </SpaceBetween>
    </Alert>
  );
}

function RunningStep({
  lock,
  onStopped,
}: {
  readonly lock: ChangeLock;
  readonly onStopped: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const stop = useMutation(
    api.commands.cancelInvocation.mutationOptions({
      onError: useErrorFlash(),
      onSettled: onStopped,
    }),
  );
  const { holder, command, since, step, runId, invocationId } = lock;
  return (
    <div>
      {step === null
        ? t('commands.busy.who', { holder, command })
        : t('commands.busy.whoAtStep', { holder, command, step })}{' '}
      <Time at={since} />{' '}
      <PortalLink href={commandHref(command, { run: runId, invocation: invocationId })}>
        {t('commands.busy.output')}
      </PortalLink>{' '}
      <Button
        variant="inline-link"
        loading={stop.isPending}
        disabled={stop.isSuccess}
        onClick={() => stop.mutate({ id: invocationId })}
      >
        {t(stop.isSuccess ? 'commands.busy.stopping' : 'commands.busy.stop')}
      </Button>
    </div>
  );
}
