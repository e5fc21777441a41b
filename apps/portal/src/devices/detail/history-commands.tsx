import Header from '@cloudscape-design/components/header';
import { useMemo, type ReactNode } from 'react';
import type { CommandThen } from '@deviceportal/contract/device-history';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { StatusOf } from '../../ui/status-of.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { invocationHref } from '../invocation-href.ts';

const here = { isPending: false, error: null, refetch: () => undefined };

/** Commands that were in progress at that time. Renders nothing if there were none. */
export function HistoryCommands({
  commands,
  deviceId,
}: {
  readonly commands: readonly CommandThen[];
  readonly deviceId: string;
}): ReactNode {
  const t = useT();
  const columns = useMemo(
    (): readonly TableColumn<CommandThen>[] => [
      {
        id: 'command',
        header: t('devices.commands.command'),
        cell: ({ command, invocationId: id }) => (
          <PortalLink href={invocationHref({ id, command, deviceId })}>{command}</PortalLink>
        ),
        rowHeader: true,
      },
      {
        id: 'state',
        header: t('devices.then.now'),
        cell: ({ state }) => <StatusOf kind="invocation" value={state} />,
      },
      {
        id: 'queuedAt',
        header: t('devices.commands.queuedAt'),
        cell: ({ queuedAt }) => <Time at={queuedAt} style="absolute" />,
      },
      {
        id: 'endedAt',
        header: t('devices.then.ended'),
        cell: ({ endedAt }) => <Time at={endedAt} style="absolute" />,
      },
    ],
    [t, deviceId],
  );
  if (commands.length === 0) return null;
  return (
    <DataTable
      id="device-then-commands"
      label={t('devices.then.running')}
      header={<Header variant="h2">{t('devices.then.running')}</Header>}
      variant="container"
      columns={columns}
      rows={commands}
      rowKey={({ invocationId }) => invocationId}
      query={here}
      empty={{ title: t('devices.then.running') }}
      withoutSettings
    />
  );
}
