import Header from '@cloudscape-design/components/header';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { useQueuedBehind } from '../use-queued-behind.ts';
import { refreshMs } from '../../live/refresh-policy.ts';
import { useScheduleColumns } from './use-schedule-columns.tsx';

/** Scheduled commands. Renders nothing if there are none. */
export function SchedulesTable(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.schedules.list.queryOptions(undefined, { refetchInterval: refreshMs.list }),
  );
  const queuedBehind = useQueuedBehind(
    query.data?.flatMap(({ lastRunId }) => lastRunId ?? []) ?? [],
  );
  const columns = useScheduleColumns(queuedBehind);
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
