import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, lazy, useState, type ReactNode } from 'react';
import type { TerminalSessionSummary } from '@deviceportal/contract/terminals';
import { useApi } from '../api/use-api.ts';
import type { DeviceTabProps } from '../devices/detail/device-tab-props.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { CopyableId } from '../ui/copyable-id.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { forgetSession, useOpenSession } from './open-session-store.ts';
import { RecordingsSearch, type RecordingsWithText } from './recordings-search.tsx';

const TerminalPanel = lazy(async () => ({
  default: (await import('./terminal-panel.tsx')).TerminalPanel,
}));
const RecordingPlayer = lazy(async () => ({
  default: (await import('./recording-player.tsx')).RecordingPlayer,
}));
const WatchPanel = lazy(async () => ({
  default: (await import('./watch-panel.tsx')).WatchPanel,
}));

/** The open terminal, a watched one, and the sessions of the device with their recordings. */
export function TerminalsTab({ device }: DeviceTabProps): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const open = useOpenSession(device.id);
  const [played, setPlayed] = useState<TerminalSessionSummary | null>(null);
  const [found, setFound] = useState<RecordingsWithText | null>(null);
  const [watched, setWatched] = useState<TerminalSessionSummary | null>(null);
  const query = useQuery(
    api.terminals.list.queryOptions({ deviceId: device.id }, { refetchInterval: refreshMs.work }),
  );
  const refresh = (): void => void queryClient.invalidateQueries(api.terminals.pathFilter());
  const end = useMutation(api.terminals.end.mutationOptions({ onSuccess: refresh }));
  const { may, detail } = useViewer();
  const rights = {
    replays: may('terminal:replay'),
    watches: (row: TerminalSessionSummary) => may('terminal:watch') && row.id !== open,
    ends: (row: TerminalSessionSummary) => may('terminal:end') || row.userId === detail.userId,
  };
  const acts = {
    onPlay: setPlayed,
    onWatch: setWatched,
    onEnd: (sessionId: string) => end.mutate({ sessionId }),
  };
  const columns = [...factColumns(t), ...actColumns(t, rights, acts)];
  return (
    <SpaceBetween size="m">
      <Suspense>
        {open === undefined ? null : (
          <TerminalPanel
            key={open}
            device={device}
            sessionId={open}
            onEnded={refresh}
            onClose={() => forgetSession(device.id)}
          />
        )}
        {watched === null ? null : (
          <WatchPanel
            key={watched.id}
            session={watched}
            onEnded={refresh}
            onClose={() => setWatched(null)}
          />
        )}
        {played === null ? null : (
          <RecordingPlayer
            key={played.id}
            session={played}
            text={found?.text}
            onClose={() => setPlayed(null)}
          />
        )}
      </Suspense>
      {end.error === null ? null : <ErrorView error={end.error} place="alert" />}
      <DataTable
        id="device-terminals"
        label={t('terminals.list.title')}
        header={<Header variant="h2">{t('terminals.list.title')}</Header>}
        variant="container"
        columns={columns}
        rows={found?.sessions ?? query.data?.sessions}
        filter={
          rights.replays ? (
            <RecordingsSearch deviceId={device.id} found={found} onFound={setFound} />
          ) : null
        }
        rowKey={({ id }) => id}
        query={query}
        empty={{ title: t('terminals.list.none'), body: t('terminals.list.noneBody') }}
        onClearFilter={found === null ? undefined : () => setFound(null)}
      />
    </SpaceBetween>
  );
}

interface Rights {
  readonly replays: boolean;
  readonly watches: (row: TerminalSessionSummary) => boolean;
  readonly ends: (row: TerminalSessionSummary) => boolean;
}

interface Acts {
  readonly onPlay: (row: TerminalSessionSummary) => void;
  readonly onWatch: (row: TerminalSessionSummary) => void;
  readonly onEnd: (sessionId: string) => void;
}

const factColumns = (t: Translate): TableColumn<TerminalSessionSummary>[] => [
  {
    id: 'openedAt',
    header: t('terminals.column.openedAt'),
    cell: (row) => <Time at={row.openedAt} />,
    rowHeader: true,
    always: true,
    width: 150,
  },
  {
    id: 'user',
    header: t('terminals.column.user'),
    cell: (row) => row.username,
    width: 160,
  },
  {
    id: 'reason',
    header: t('terminals.column.reason'),
    cell: (row) => row.reason,
    width: 220,
  },
  {
    id: 'state',
    header: t('terminals.column.state'),
    cell: (row) => stateWords(row, t),
    width: 220,
  },
  {
    id: 'account',
    header: t('terminals.column.account'),
    cell: (row) => row.account ?? '-',
    width: 120,
  },
];

function stateWords({ state, endReason, exitCode }: TerminalSessionSummary, t: Translate): string {
  if (state !== 'ended' || endReason === null) return t(`terminals.state.${state}`);
  if (endReason === 'exited' && exitCode === null) return t('terminals.state.ended');
  return t(`terminals.ended.${endReason}`, { exitCode: exitCode ?? '' });
}

const actColumns = (
  t: Translate,
  rights: Rights,
  acts: Acts,
): TableColumn<TerminalSessionSummary>[] => [
  {
    id: 'recording',
    header: t('terminals.column.recording'),
    cell: (row) => {
      if (row.state !== 'ended') return <OpenActs row={row} rights={rights} acts={acts} t={t} />;
      if (row.isExpired) return t('terminals.expired');
      if (!rights.replays || row.sha256 === null) return '-';
      return (
        <Button variant="inline-link" onClick={() => acts.onPlay(row)}>
          {t('terminals.play')}
        </Button>
      );
    },
    always: true,
    width: 170,
  },
  {
    id: 'sha256',
    header: t('terminals.column.sha256'),
    cell: ({ sha256 }) =>
      sha256 === null ? '-' : <CopyableId value={sha256} name={t('terminals.column.sha256')} />,
    optional: true,
    width: 320,
  },
];

interface OpenActsProps {
  readonly row: TerminalSessionSummary;
  readonly rights: Rights;
  readonly acts: Acts;
  readonly t: Translate;
}

function OpenActs({ row, rights, acts, t }: OpenActsProps): ReactNode {
  const [watches, ends] = [rights.watches(row), rights.ends(row)];
  if (!watches && !ends) return '-';
  return (
    <SpaceBetween direction="horizontal" size="s">
      {watches ? (
        <Button variant="inline-link" onClick={() => acts.onWatch(row)}>
          {t('terminals.watch')}
        </Button>
      ) : null}
      {ends ? (
        <Button variant="inline-link" onClick={() => acts.onEnd(row.id)}>
          {t('terminals.end')}
        </Button>
      ) : null}
    </SpaceBetween>
  );
}
