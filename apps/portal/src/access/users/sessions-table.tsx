import Badge from '@cloudscape-design/components/badge';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { UserRow, UserSession } from '@deviceportal/contract/access';
import { useApi } from '../../api/use-api.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { useManageDisabledReason } from '../use-manage-disabled-reason.ts';
import { refreshMs } from '../../live/refresh-policy.ts';

/** Active sessions of a user, which can be ended one at a time or together. */
export function SessionsTable({ user }: { readonly user: UserRow }): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const reason = useManageDisabledReason();
  const query = useQuery(
    api.access.users.sessions.queryOptions({ id: user.id }, { refetchInterval: refreshMs.list }),
  );
  const reactions = {
    onError: useErrorFlash(),
    onSettled: () => queryClient.invalidateQueries(api.access.users.sessions.pathFilter()),
  };
  const endOne = useMutation(api.access.users.endSession.mutationOptions(reactions));
  const endAll = useMutation(api.access.users.endAllSessions.mutationOptions(reactions));
  const { mutate } = endOne;
  const columns = useMemo((): readonly TableColumn<UserSession>[] => {
    const because = reason === undefined ? {} : { disabled: true, disabledReason: reason };
    return [
      ...sessionColumns(t),
      {
        id: 'acts',
        header: t('access.session.acts'),
        cell: ({ id }) => (
          <Button
            variant="inline-link"
            ariaLabel={t('access.session.endOne')}
            onClick={() => mutate({ id: user.id, sessionId: id })}
            {...because}
          >
            {t('access.session.end')}
          </Button>
        ),
        width: 120,
        minWidth: 120,
      },
    ];
  }, [t, reason, mutate, user.id]);
  const sessions = query.data;
  return (
    <DataTable
      id="user-sessions"
      label={t('access.session.title')}
      variant="container"
      withoutSettings
      wrapLines
      columns={columns}
      rows={sessions}
      rowKey={({ id }) => id}
      query={query}
      empty={{ title: t('access.session.none') }}
      header={
        <Header
          variant="h2"
          {...(sessions === undefined ? {} : { counter: `(${sessions.length})` })}
          actions={
            <Button
              loading={endAll.isPending}
              disabled={reason !== undefined || sessions?.length === 0}
              {...(reason === undefined ? {} : { disabledReason: reason })}
              onClick={() => endAll.mutate({ id: user.id })}
            >
              {t('access.session.endAll')}
            </Button>
          }
        >
          {t('access.session.title')}
        </Header>
      }
    />
  );
}

const sessionColumns = (t: Translate): TableColumn<UserSession>[] => [
  {
    id: 'signedIn',
    header: t('access.session.since'),
    cell: ({ signedInAt, current }) => (
      <>
        <Time at={signedInAt} style="absolute" />{' '}
        {current ? <Badge color="blue">{t('access.session.current')}</Badge> : null}
      </>
    ),
    rowHeader: true,
    always: true,
    width: 320,
    minWidth: 180,
  },
  {
    id: 'address',
    header: t('access.session.address'),
    cell: ({ address }) => address ?? '-',
    width: 200,
    minWidth: 120,
  },
  {
    id: 'ends',
    header: t('access.session.ends'),
    cell: ({ endsAt }) => <Time at={endsAt} style="absolute" />,
    width: 220,
    minWidth: 180,
  },
];
