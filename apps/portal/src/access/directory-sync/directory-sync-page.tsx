import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { NewScimToken } from '@deviceportal/contract/scim';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { NewSecretDialog } from '../../identity-provider/new-secret-dialog.tsx';
import { disabledProps } from '../../identity-provider/use-provider-disabled-reason.ts';
import { refreshMs } from '../../live/refresh-policy.ts';
import { useFlash } from '../../ui/flash-store.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { AccessGate } from '../access-gate.tsx';
import { useManageDisabledReason } from '../use-manage-disabled-reason.ts';
import { connectionColumns } from './connection-columns.tsx';
import { ConnectionDialogs, type OpenDialog } from './connection-dialogs.tsx';
import { DirectoryValues } from './directory-values.tsx';

export const Route = createLazyRoute('/uam/directory-sync')({
  component: () => (
    <AccessGate>
      <DirectorySyncPage />
    </AccessGate>
  ),
});

/** Connections of directories that create and suspend users by SCIM, with what to enter there. */
function DirectorySyncPage(): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const reason = useManageDisabledReason();
  const [open, setOpen] = useState<OpenDialog>();
  const [made, setMade] = useState<NewScimToken & { readonly name: string }>();
  const options = api.access.directoryConnections.list.queryOptions(undefined, {
    refetchInterval: refreshMs.list,
  });
  const query = useQuery(options);
  const roles = useQuery(api.access.roles.list.queryOptions()).data;
  const columns = useMemo(
    () =>
      connectionColumns({
        ...{ t, format, roles: roles ?? [], reason },
        onAct: (kind, connection) => setOpen({ kind, connection }),
      }),
    [t, format, roles, reason],
  );
  const close = (): void => setOpen(undefined);
  const done = (words?: string): void => {
    close();
    void queryClient.invalidateQueries(api.access.directoryConnections.pathFilter());
    if (words !== undefined) flash.add({ type: 'success', content: words });
  };
  const tokenMade = (token: NewScimToken, name: string): void => {
    done();
    setMade({ ...token, name });
  };
  return (
    <SpaceBetween size="l">
      {query.data?.createsUsers === false ? (
        <Alert type="info">{t('access.directory.usersElsewhere')}</Alert>
      ) : null}
      <DataTable
        id="directory-connections"
        label={t('app.nav.directorySync')}
        withoutSettings
        wrapLines
        columns={columns}
        rows={query.data?.connections}
        rowKey={({ id }) => id}
        query={query}
        empty={{ title: t('access.directory.none'), body: t('access.directory.noneHint') }}
        header={
          <PageHeader
            title={t('app.nav.directorySync')}
            description={t('access.directory.description')}
            actions={
              <Button
                variant="primary"
                onClick={() => setOpen({ kind: 'create' })}
                {...disabledProps(reason)}
              >
                {t('access.directory.create')}
              </Button>
            }
          />
        }
      />
      {query.data === undefined ? null : <DirectoryValues url={query.data.url} />}
      <ConnectionDialogs open={open} onMade={tokenMade} onDone={done} onClose={close} />
      {made === undefined ? null : (
        <NewSecretDialog
          made={{
            title: t('access.directory.tokenOf', { name: made.name }),
            idLabel: t('access.directory.url'),
            id: query.data?.url ?? '',
            secretLabel: t('access.directory.token'),
            secret: made.token,
          }}
          onClose={() => setMade(undefined)}
        />
      )}
    </SpaceBetween>
  );
}
