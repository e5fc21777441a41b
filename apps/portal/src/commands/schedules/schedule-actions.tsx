import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Schedule } from '@deviceportal/contract/schedules';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { ResumeDialog } from '../runs/resume-dialog.tsx';
import { SignScheduleDialog } from './sign-schedule-dialog.tsx';

interface ScheduleProps {
  readonly schedule: Schedule;
}

/** Pause, sign, resume, and delete, depending on the state of the schedule. */
export function ScheduleActions({ schedule }: ScheduleProps): ReactNode {
  const { changeable, state, signed } = schedule;
  if (!changeable) return '-';
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {state === 'active' ? <Pause schedule={schedule} /> : null}
      {canSign(schedule) ? <Sign schedule={schedule} /> : null}
      {state === 'paused' && signed ? <Resume schedule={schedule} /> : null}
      <Delete schedule={schedule} />
    </SpaceBetween>
  );
}

function useReactions() {
  const api = useApi();
  const queryClient = useQueryClient();
  return {
    onError: useErrorFlash(),
    onSettled: () => queryClient.invalidateQueries(api.schedules.pathFilter()),
  };
}

function Pause({ schedule: { id, name } }: ScheduleProps): ReactNode {
  const t = useT();
  const api = useApi();
  const pause = useMutation(api.schedules.pause.mutationOptions(useReactions()));
  return (
    <Button
      variant="inline-link"
      ariaLabel={t('commands.schedules.pauseOne', { name })}
      onClick={() => pause.mutate({ id })}
    >
      {t('commands.result.pause')}
    </Button>
  );
}

/**
 * A schedule with a destructive command must be created again, because its devices need
 * confirmation.
 */
const canSign = ({ signed, state, consequence }: Schedule): boolean =>
  !signed && state !== 'done' && consequence !== 'destroys';

function Sign({ schedule }: ScheduleProps): ReactNode {
  const t = useT();
  const { onSettled } = useReactions();
  const [signing, setSigning] = useState(false);
  return (
    <>
      <Button
        variant="inline-link"
        ariaLabel={t('commands.schedules.signOne', { name: schedule.name })}
        onClick={() => setSigning(true)}
      >
        {t('commands.schedules.sign')}
      </Button>
      {signing ? (
        <SignScheduleDialog
          schedule={schedule}
          onSigned={() => {
            setSigning(false);
            void onSettled();
          }}
          onCancel={() => setSigning(false)}
        />
      ) : null}
    </>
  );
}

function Resume({ schedule }: ScheduleProps): ReactNode {
  const t = useT();
  const api = useApi();
  const [resuming, setResuming] = useState(false);
  const resume = useMutation(api.schedules.resume.mutationOptions(useReactions()));
  const { id, name, exceedingCount } = schedule;
  return (
    <>
      <Button
        variant="inline-link"
        ariaLabel={t('commands.schedules.resumeOne', { name })}
        onClick={() => (exceedingCount === null ? resume.mutate({ id }) : setResuming(true))}
      >
        {t('commands.result.resume')}
      </Button>
      {resuming ? (
        <ResumeDialog
          schedule={schedule}
          busy={resume.isPending}
          onResume={(maxDevices) =>
            resume.mutate({ id, maxDevices }, { onSettled: () => setResuming(false) })
          }
          onCancel={() => setResuming(false)}
        />
      ) : null}
    </>
  );
}

function Delete({ schedule: { id, name } }: ScheduleProps): ReactNode {
  const t = useT();
  const api = useApi();
  const [deleting, setDeleting] = useState(false);
  const remove = useMutation(api.schedules.delete.mutationOptions(useReactions()));
  return (
    <>
      <Button
        variant="inline-link"
        ariaLabel={t('commands.schedules.deleteOne', { name })}
        onClick={() => setDeleting(true)}
      >
        {t('commands.schedules.delete')}
      </Button>
      {deleting ? (
        <ConfirmDialog
          title={t('commands.schedules.deleteOne', { name })}
          confirmLabel={t('commands.schedules.delete')}
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ id })}
          onCancel={() => setDeleting(false)}
        >
          {t('commands.schedules.deleteBody')}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
