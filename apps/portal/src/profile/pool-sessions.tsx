import Badge from '@cloudscape-design/components/badge';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { UserSession } from '@deviceportal/contract/access';
import { useApi } from '../api/use-api.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { useFlash } from '../ui/flash-store.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

/**
 * Active sessions in the portal’s own user pool. Renders nothing for a hosted pool, whose sessions
 * are unknown.
 */
export function PoolSessions(): ReactNode {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const query = useQuery(
    api.session.signIns.queryOptions(undefined, { refetchInterval: refreshMs.list }),
  );
  const onError = useErrorFlash();
  const onSettled = () => queryClient.invalidateQueries(api.session.signIns.pathFilter());
  const endOne = useMutation(api.session.endSignIn.mutationOptions({ onError, onSettled }));
  const endOthers = useMutation(
    api.session.endOtherSignIns.mutationOptions({
      onError,
      onSettled,
      onSuccess: () => void flash.add({ type: 'success', content: t('profile.sessions.ended') }),
    }),
  );
  const { mutate } = endOne;
  const columns = useMemo((): readonly TableColumn<UserSession>[] => {
    return [
      ...sessionColumns(t),
      {
        id: 'acts',
        header: t('profile.sessions.acts'),
        cell: ({ id, current }) =>
          current ? null : (
            <Button
              variant="inline-link"
              ariaLabel={t('profile.sessions.endOne')}
              onClick={() => mutate({ sessionId: id })}
            >
              {t('profile.sessions.end')}
            </Button>
          ),
        width: 120,
        minWidth: 120,
      },
    ];
  }, [t, mutate]);
  if (query.data?.known === false) return null;
  const sessions = query.data?.sessions;
  return (
    <DataTable
      id="own-sessions"
      label={t('profile.sessions.title')}
      variant="container"
      withoutSettings
      wrapLines
      columns={columns}
      rows={sessions}
      rowKey={({ id }) => id}
      query={query}
      empty={{ title: t('profile.sessions.none') }}
      header={
        <Header
          variant="h2"
          {...(sessions === undefined ? {} : { counter: `(${sessions.length})` })}
          actions={
            <Button
              loading={endOthers.isPending}
              disabled={!sessions?.some(({ current }) => !current)}
              disabledReason={t('profile.sessions.noOthers')}
              onClick={() => endOthers.mutate()}
            >
              {t('profile.sessions.endOthers')}
            </Button>
          }
        >
          {t('profile.sessions.title')}
        </Header>
      }
    />
  );
}

const sessionColumns = (t: Translate): TableColumn<UserSession>[] => [
  {
    id: 'signedIn',
    header: t('profile.sessions.since'),
    cell: ({ signedInAt, current }) => (
      <>
        <Time at={signedInAt} style="absolute" />{' '}
        {current ? <Badge color="blue">{t('profile.sessions.current')}</Badge> : null}
      </>
    ),
    rowHeader: true,
    always: true,
    width: 320,
    minWidth: 180,
  },
  {
    id: 'address',
    header: t('profile.sessions.address'),
    cell: ({ address }) => address ?? '-',
    width: 200,
    minWidth: 120,
  },
  {
    id: 'ends',
    header: t('profile.sessions.ends'),
    cell: ({ endsAt }) => <Time at={endsAt} style="absolute" />,
    width: 220,
    minWidth: 180,
  },
];
