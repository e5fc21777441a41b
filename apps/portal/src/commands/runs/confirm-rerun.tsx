import Alert from '@cloudscape-design/components/alert';
import Checkbox from '@cloudscape-design/components/checkbox';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { WhenLocked } from '@deviceportal/contract/change-locks';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { isChangeLockRefusal } from '../target/change-lock-refusal.ts';
import { ChangedTargetAlert } from '../target/changed-target-alert.tsx';
import { changedTargetOf } from '../target/changed-target.ts';
import { ConfirmRun } from '../form/confirm-run.tsx';
import { notRunnableWordsOf } from '../form/not-runnable-words.ts';
import type { Rerun } from './rerun.ts';
import { ShownDevices } from '../target/shown-devices.tsx';
import { shownTarget, type ShownTarget } from '../target/use-target.ts';

export interface ConfirmRerunProps {
  readonly rerun: Rerun;
  /** Shows the devices and runs on exactly these. */
  readonly isOnMany: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  /** Receives the confirmation text and the devices that were shown. */
  readonly onConfirm: (typed: string, shown: ShownTarget, whenLocked: WhenLocked) => void;
  /** Called after a rejection, to reload the devices. */
  readonly onReload: () => void;
  readonly onCancel: () => void;
}

/** The confirmation before a run is repeated. */
export function ConfirmRerun(props: ConfirmRerunProps): ReactNode {
  const { rerun, isOnMany, busy, error, onConfirm, onReload, onCancel } = props;
  const t = useT();
  const api = useApi();
  const { runId, onlyFailed, answer = null } = rerun;
  const [queues, setQueues] = useState(false);
  const whenLocked = queues ? 'queue' : 'ask';
  const isBusy = isChangeLockRefusal(error);
  const shown = useQuery(
    api.commands.previewRerun.queryOptions(
      { runId, onlyFailed, answer, whenLocked },
      { enabled: isOnMany, staleTime: 0, gcTime: 0 },
    ),
  );
  const changed = changedTargetOf(error);
  const { data } = shown;
  const reload = (): void => {
    onReload();
    void shown.refetch();
  };
  const refused = error === null ? null : notRunnableWordsOf(error, t);
  return (
    <ConfirmRun
      command={rerun.command}
      consequence={rerun.consequence}
      target={data === undefined ? rerun.target : labelOf(data)}
      duration={null}
      devices={
        <SpaceBetween size="s">
          {refused === null ? null : (
            <Alert type="error" header={refused.header}>
              {refused.content}
            </Alert>
          )}
          {changed === null ? null : <ChangedTargetAlert changed={changed} onReload={reload} />}
          {isBusy ? <Alert type="warning">{t('commands.busy.asks')}</Alert> : null}
          {isOnMany && changed === null ? <Shown shown={shown} /> : null}
          {isBusy || queues || (data?.busy.length ?? 0) > 0 ? (
            <Checkbox checked={queues} onChange={({ detail }) => setQueues(detail.checked)}>
              {t('commands.busy.queue')}
            </Checkbox>
          ) : null}
        </SpaceBetween>
      }
      guard={data?.guard}
      disabled={
        (isBusy && !queues) ||
        changed !== null ||
        (isOnMany && (data === undefined || data.count === 0 || shown.isFetching))
      }
      busy={busy}
      error={changed === null && refused === null && !isBusy ? error : null}
      onConfirm={(typed) => onConfirm(typed, shownTarget(data), whenLocked)}
      onCancel={onCancel}
    />
  );
}

function Shown({ shown }: { readonly shown: UseQueryResult<TargetPreview, unknown> }): ReactNode {
  if (shown.isError) {
    return <ErrorView error={shown.error} place="alert" onRetry={() => void shown.refetch()} />;
  }
  if (shown.data === undefined || shown.isFetching) return <Spinner />;
  return <ShownDevices preview={shown.data} listId={null} />;
}

/** A single remaining device is confirmed by its serial number. */
function labelOf({ count, sample }: TargetPreview): string | number {
  const [only] = sample;
  return count === 1 && only !== undefined ? (only.serialNumber ?? only.name) : count;
}
