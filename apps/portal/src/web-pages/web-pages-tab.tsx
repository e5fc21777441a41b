import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeviceWebPages, WebPageSessionSummary } from '@deviceportal/contract/web-pages';
import { useApi } from '../api/use-api.ts';
import type { DeviceTabProps } from '../devices/detail/device-tab-props.ts';
import { GuideLink } from '../help/guide-link.tsx';
import { useT, type Translate } from '../i18n/use-t.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';

const OPENING_MS = 1_000;

/** The sessions with web pages of the device: open ones first, with what can be done. */
export function WebPagesTab({ device }: DeviceTabProps): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const query = useQuery(
    api.webPages.list.queryOptions(
      { deviceId: device.id },
      { refetchInterval: ({ state }) => (isOpening(state.data) ? OPENING_MS : refreshMs.work) },
    ),
  );
  const refresh = (): void => void queryClient.invalidateQueries(api.webPages.pathFilter());
  const end = useMutation(api.webPages.end.mutationOptions({ onSuccess: refresh }));
  const link = useMutation(
    api.webPages.link.mutationOptions({
      // Without a connection between the tabs: the page of the device learns nothing of the portal.
      onSuccess: ({ url }) => void window.open(url, '_blank', 'noopener,noreferrer'),
    }),
  );
  const { may, detail } = useViewer();
  const offer = query.data?.offer ?? 'available';
  const error = end.error ?? link.error;
  const acts = {
    shows: (row: WebPageSessionSummary) => row.state === 'open' && row.userId === detail.userId,
    ends: (row: WebPageSessionSummary) =>
      row.state !== 'ended' && (row.userId === detail.userId || may('web-pages:end')),
    onShow: (sessionId: string) => link.mutate({ sessionId }),
    onEnd: (sessionId: string) => end.mutate({ sessionId }),
  };
  return (
    <SpaceBetween size="m">
      {offer === 'available' ? null : (
        <Alert type="info">
          {t(`webPages.offer.${offer}`)} <GuideLink name="device-web-pages" />
        </Alert>
      )}
      {error === null ? null : <ErrorView error={error} place="alert" />}
      <DataTable
        id="device-web-pages"
        label={t('webPages.list.title')}
        header={<Header variant="h2">{t('webPages.list.title')}</Header>}
        variant="container"
        columns={[...factColumns(t), actColumn(t, acts)]}
        rows={query.data?.sessions}
        rowKey={({ id }) => id}
        query={query}
        empty={{ title: t('webPages.list.none'), body: t('webPages.list.noneBody') }}
      />
    </SpaceBetween>
  );
}

const isOpening = (data: DeviceWebPages | undefined): boolean =>
  data?.sessions.some(({ state }) => state === 'opening') === true;

const factColumns = (t: Translate): TableColumn<WebPageSessionSummary>[] => [
  {
    id: 'openedAt',
    header: t('webPages.column.openedAt'),
    cell: (row) => <Time at={row.openedAt} />,
    rowHeader: true,
    always: true,
    width: 150,
  },
  {
    id: 'page',
    header: t('webPages.column.page'),
    cell: ({ title, port }) => t('webPages.page', { title, port: String(port) }),
    width: 180,
  },
  {
    id: 'user',
    header: t('webPages.column.user'),
    cell: (row) => row.username,
    width: 160,
  },
  {
    id: 'reason',
    header: t('webPages.column.reason'),
    cell: (row) => row.reason,
    width: 200,
  },
  {
    id: 'state',
    header: t('webPages.column.state'),
    cell: (row) => stateWords(row, t),
    width: 220,
  },
  {
    id: 'requests',
    header: t('webPages.column.requests'),
    cell: (row) => row.requests,
    width: 110,
  },
];

function stateWords(row: WebPageSessionSummary, t: Translate): string {
  const { state, isAsking, endReason, obstacle } = row;
  if (state === 'ended' && obstacle !== null) return t(`webPages.obstacle.${obstacle}`);
  if (state === 'ended') return t(`webPages.ended.${endReason ?? 'closed'}`);
  return t(isAsking ? 'webPages.state.asking' : `webPages.state.${state}`);
}

interface Acts {
  readonly shows: (row: WebPageSessionSummary) => boolean;
  readonly ends: (row: WebPageSessionSummary) => boolean;
  readonly onShow: (sessionId: string) => void;
  readonly onEnd: (sessionId: string) => void;
}

const actColumn = (t: Translate, acts: Acts): TableColumn<WebPageSessionSummary> => ({
  id: 'actions',
  header: t('webPages.column.actions'),
  cell: (row) => {
    const [shows, ends] = [acts.shows(row), acts.ends(row)];
    if (!shows && !ends) return '-';
    return (
      <SpaceBetween direction="horizontal" size="s">
        {shows ? (
          <Button variant="inline-link" iconName="external" onClick={() => acts.onShow(row.id)}>
            {t('webPages.show')}
          </Button>
        ) : null}
        {ends ? (
          <Button variant="inline-link" onClick={() => acts.onEnd(row.id)}>
            {t('webPages.end')}
          </Button>
        ) : null}
      </SpaceBetween>
    );
  },
  always: true,
  width: 240,
});
