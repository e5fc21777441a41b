import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { RefusalReason } from '@deviceportal/contract/refusals';
import type { Schedule } from '@deviceportal/contract/schedules';
import { BondNote } from '../../access/users/bond-note.tsx';
import { useApi } from '../../api/use-api.ts';
import { WhyButton } from '../../explanations/why-button.tsx';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { StatusOf } from '../../ui/status-of.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { commandHref } from '../command-href.ts';
import { ResumeDialog } from '../runs/resume-dialog.tsx';
import { SignScheduleDialog } from './sign-schedule-dialog.tsx';
import { useWaits, type Waits } from '../use-waits.ts';
import { WaitNote } from '../wait-note.tsx';
import { refreshMs } from '../../live/refresh-policy.ts';

/** Commands that run later or again and again; nothing where there are none. */
export function SchedulesTable(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.schedules.list.queryOptions(undefined, { refetchInterval: refreshMs.list }),
  );
  const waits = useWaits(query.data?.flatMap(({ lastRunId }) => lastRunId ?? []) ?? []);
  const columns = useScheduleColumns(waits);
  if (query.data?.length === 0) return null;
  return (
    <DataTable
      id="schedules"
      label={t('commands.schedules.title')}
      columns={columns}
      rows={query.data}
      rowKey={({ id }) => id}
      query={query}
      header={<Header variant="h2">{t('commands.schedules.title')}</Header>}
      empty={{ title: t('commands.schedules.none') }}
      variant="container"
      withoutSettings
      wrapLines
    />
  );
}

function useScheduleColumns(waits: Waits): readonly TableColumn<Schedule>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('commands.schedule.name'),
        rowHeader: true,
        always: true,
        cell: ({ name }) => name,
        width: 160,
      },
      {
        id: 'state',
        header: t('commands.steps.state'),
        cell: ({ bond, id, name, state }) => (
          <>
            <StatusOf kind="schedule" value={state} />{' '}
            <WhyButton of={{ kind: 'schedule', id }} name={name} />
            <BondNote bond={bond} />
          </>
        ),
        width: 150,
      },
      {
        id: 'last',
        header: t('commands.schedules.last'),
        cell: (schedule) => (
          <>
            <Last schedule={schedule} />
            <WaitNote behind={waits.get(schedule.lastRunId ?? '')} />
          </>
        ),
        width: 170,
      },
      {
        id: 'acts',
        header: t('commands.schedules.acts'),
        cell: (schedule) => <Acts schedule={schedule} />,
        width: 190,
      },
      {
        id: 'command',
        header: t('commands.columns.command'),
        cell: ({ command }) => command,
        width: 140,
      },
      {
        id: 'times',
        header: t('commands.schedule.kind'),
        cell: ({ times }) =>
          times.kind === 'cron'
            ? `${times.cron} (${times.timeZone})`
            : format.absolute(Date.parse(times.at)),
        width: 150,
      },
      {
        id: 'next',
        header: t('commands.schedules.next'),
        cell: ({ nextTimes }) => <Time at={nextTimes[0] ?? null} style="absolute" />,
        width: 210,
      },
      {
        id: 'target',
        header: t('commands.target.title'),
        cell: ({ frozenCount, maxDevices }) =>
          frozenCount === null
            ? t('commands.schedules.limit', { limit: maxDevices })
            : t('commands.target.count', { count: frozenCount }),
        width: 200,
      },
      {
        id: 'by',
        header: t('commands.schedules.createdBy'),
        cell: ({ createdBy }) => createdBy,
        width: 210,
      },
    ],
    [t, format, waits],
  );
}

function Last({ schedule }: { readonly schedule: Schedule }): ReactNode {
  const t = useT();
  const { lastAt, lastRunId, lastError, command, exceedingCount, maxDevices } = schedule;
  if (!schedule.signed) {
    return <StatusIndicator type="warning">{t('commands.schedules.unsigned')}</StatusIndicator>;
  }
  if (lastAt === null) return '-';
  if (exceedingCount !== null) {
    return (
      <StatusIndicator type="warning">
        {t('commands.schedules.grew', { devices: exceedingCount, limit: maxDevices })}{' '}
        <Time at={lastAt} />
      </StatusIndicator>
    );
  }
  if (lastError !== null) {
    return (
      <StatusIndicator type={lastError === 'missed' ? 'warning' : 'error'}>
        <LastError error={lastError} /> <Time at={lastAt} />
      </StatusIndicator>
    );
  }
  if (lastRunId === null) return <Time at={lastAt} />;
  return (
    <PortalLink href={commandHref(command, { run: lastRunId })}>
      <Time at={lastAt} />
    </PortalLink>
  );
}

/** What destroys is created anew: its devices are confirmed then. */
const canSign = ({ signed, state, consequence }: Schedule): boolean =>
  !signed && state !== 'done' && consequence !== 'destroys';

function LastError({ error }: { readonly error: string }): ReactNode {
  const t = useT();
  if (error === 'missed') return t('commands.schedules.missed');
  if (error === ('authorization-mismatch' satisfies RefusalReason))
    return t('commands.schedules.changed');
  return t('commands.schedules.refused', { error });
}

function Acts({ schedule }: { readonly schedule: Schedule }): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  const [signing, setSigning] = useState(false);
  const [resuming, setResuming] = useState(false);
  const showError = useErrorFlash();
  const reactions = {
    onError: showError,
    onSettled: () => queryClient.invalidateQueries(api.schedules.pathFilter()),
  };
  const pause = useMutation(api.schedules.pause.mutationOptions(reactions));
  const resume = useMutation(api.schedules.resume.mutationOptions(reactions));
  const remove = useMutation(api.schedules.delete.mutationOptions(reactions));
  const { id, name, state } = schedule;
  if (!schedule.changeable) return '-';
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {state === 'active' ? (
        <Button
          variant="inline-link"
          ariaLabel={t('commands.schedules.pauseOne', { name })}
          onClick={() => pause.mutate({ id })}
        >
          {t('commands.result.pause')}
        </Button>
      ) : null}
      {canSign(schedule) ? (
        <Button
          variant="inline-link"
          ariaLabel={t('commands.schedules.signOne', { name })}
          onClick={() => setSigning(true)}
        >
          {t('commands.schedules.sign')}
        </Button>
      ) : null}
      {state === 'paused' && schedule.signed ? (
        <Button
          variant="inline-link"
          ariaLabel={t('commands.schedules.resumeOne', { name })}
          onClick={() =>
            schedule.exceedingCount === null ? resume.mutate({ id }) : setResuming(true)
          }
        >
          {t('commands.result.resume')}
        </Button>
      ) : null}
      <Button
        variant="inline-link"
        ariaLabel={t('commands.schedules.deleteOne', { name })}
        onClick={() => setDeleting(true)}
      >
        {t('commands.schedules.delete')}
      </Button>
      {resuming && state === 'paused' ? (
        <ResumeDialog
          schedule={schedule}
          busy={resume.isPending}
          onResume={(maxDevices) =>
            resume.mutate({ id, maxDevices }, { onSettled: () => setResuming(false) })
          }
          onCancel={() => setResuming(false)}
        />
      ) : null}
      {signing && canSign(schedule) ? (
        <SignScheduleDialog
          schedule={schedule}
          onSigned={() => {
            setSigning(false);
            void queryClient.invalidateQueries(api.schedules.pathFilter());
          }}
          onCancel={() => setSigning(false)}
        />
      ) : null}
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
    </SpaceBetween>
  );
}
