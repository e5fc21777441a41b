import { useMemo } from 'react';
import type { Schedule } from '@deviceportal/contract/schedules';
import { GrantEndNote } from '../../access/users/grant-end-note.tsx';
import { WhyButton } from '../../explanations/why-button.tsx';
import { useFormat, type Formatters } from '../../i18n/format-values.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { StatusOf } from '../../ui/status-of.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import type { QueuedBehind } from '../use-queued-behind.ts';
import { QueuedNote } from '../queued-note.tsx';
import { LastStart } from './last-start.tsx';
import { ScheduleActions } from './schedule-actions.tsx';

/** @param waits The runs that the last run of a schedule is queued behind. */
export function useScheduleColumns(queuedBehind: QueuedBehind): readonly TableColumn<Schedule>[] {
  const t = useT();
  const format = useFormat();
  return useMemo(
    () => [...stateColumns(t, queuedBehind), ...definitionColumns(t, format)],
    [t, format, queuedBehind],
  );
}

const stateColumns = (t: Translate, queuedBehind: QueuedBehind): TableColumn<Schedule>[] => [
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
        <GrantEndNote bond={bond} />
      </>
    ),
    width: 150,
  },
  {
    id: 'last',
    header: t('commands.schedules.last'),
    cell: (schedule) => (
      <>
        <LastStart schedule={schedule} />
        <QueuedNote behind={queuedBehind.get(schedule.lastRunId ?? '')} />
      </>
    ),
    width: 170,
  },
  {
    id: 'acts',
    header: t('commands.schedules.acts'),
    cell: (schedule) => <ScheduleActions schedule={schedule} />,
    width: 190,
  },
];

/** The command, times, devices, and author of a schedule. */
const definitionColumns = (t: Translate, format: Formatters): TableColumn<Schedule>[] => [
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
];
