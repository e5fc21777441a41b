import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Schedule, ScheduleToSign } from '@deviceportal/contract/schedules';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { changedScheduleFacts } from './changed-schedule-facts.ts';
import { ScheduleToSignFacts } from './schedule-to-sign-facts.tsx';

export interface SignScheduleDialogProps {
  /** A schedule without a signature. */
  readonly schedule: Schedule;
  readonly onSigned: () => void;
  readonly onCancel: () => void;
}

/** Shows everything that an unsigned schedule runs, before the user signs it in their own name. */
export function SignScheduleDialog(props: SignScheduleDialogProps): ReactNode {
  const { schedule, onSigned, onCancel } = props;
  const t = useT();
  const api = useApi();
  const { id, name } = schedule;
  const [refused, setRefused] = useState<ScheduleToSign | null>(null);
  const toSign = useQuery(
    api.schedules.toSign.queryOptions({ id }, { staleTime: 0, gcTime: 0, retry: false }),
  );
  const { data: shown } = toSign;
  const sign = useMutation(
    api.schedules.resume.mutationOptions({
      onSuccess: onSigned,
      onError: (error) => {
        if (!isChanged(error)) return;
        setRefused(shown ?? null);
        void toSign.refetch();
      },
    }),
  );
  const error = toSign.error ?? (isChanged(sign.error) ? null : sign.error);
  const isLoading = shown === undefined || toSign.isFetching;
  return (
    <ConfirmDialog
      title={t('commands.schedules.signOne', { name })}
      confirmLabel={t('commands.schedules.sign')}
      busy={sign.isPending}
      disabled={isLoading || toSign.isError}
      error={
        error === null ? undefined : (
          <ErrorView error={error} subject={{ kind: t('commands.schedule.title'), id: name }} />
        )
      }
      onConfirm={() => {
        if (shown !== undefined) sign.mutate({ id, sign: true, shownSha256: shown.sha256 });
      }}
      onCancel={onCancel}
    >
      <SpaceBetween size="m">
        <div>{t('commands.schedules.signBody')}</div>
        {refused !== null && !isLoading ? <Changed before={refused} now={shown} /> : null}
        {shown === undefined ? (
          toSign.isError ? null : (
            <Spinner />
          )
        ) : (
          <ScheduleToSignFacts shown={shown} />
        )}
      </SpaceBetween>
    </ConfirmDialog>
  );
}

function Changed({
  before,
  now,
}: {
  readonly before: ScheduleToSign;
  readonly now: ScheduleToSign;
}): ReactNode {
  const t = useT();
  return (
    <Alert type="warning" header={t('commands.schedules.changedSince')}>
      <ul className="dp-command-list">
        {changedScheduleFacts(before, now).map((key) => (
          <li key={key}>{t(key)}</li>
        ))}
      </ul>
    </Alert>
  );
}

function isChanged(error: unknown): boolean {
  if (error === null) return false;
  return portalErrorOf(error).reason === 'schedule-changed';
}
