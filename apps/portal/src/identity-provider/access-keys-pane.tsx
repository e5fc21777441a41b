import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { MadeProgramKey, ProgramKey } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { useFormat, type Formatters } from '../i18n/format-values.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyableId } from '../ui/copyable-id.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { DataTable, useTablePageSize } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { Time } from '../ui/time/time.tsx';
import { AccessKeyDialog } from './access-key-dialog.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';
import { useProviderChanged } from './use-provider-changed.ts';
import { disabledProps, useProviderDisabledReason } from './use-provider-disabled-reason.ts';

const TABLE = 'provider-access-keys';

/** Access keys of applications, newest first. */
export function AccessKeysPane(): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const reason = useProviderDisabledReason();
  const pageSize = useTablePageSize(TABLE);
  const pages = useKeysetPages(String(pageSize));
  const query = useQuery(
    api.provider.accessKeys.list.queryOptions(
      { pageSize, cursor: pages.cursor },
      { placeholderData: keepPreviousData },
    ),
  );
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ProgramKey>();
  const [made, setMade] = useState<MadeProgramKey>();
  const columns = useMemo(
    () => columnsOf({ t, format, reason, onRevoke: setRevoking }),
    [t, format, reason],
  );
  return (
    <>
      <DataTable
        id={TABLE}
        label={t('identityProvider.keys')}
        variant="container"
        columns={columns}
        rows={query.data?.rows}
        rowKey={({ accessKeyId }) => accessKeyId}
        query={query}
        wrapLines
        empty={{
          title: t('identityProvider.key.none'),
          body: t('identityProvider.key.noneHint'),
        }}
        paging={{ pages, nextCursor: query.data?.nextCursor }}
        header={
          <Header
            variant="h2"
            description={t('identityProvider.key.about')}
            actions={
              <Button onClick={() => setCreating(true)} {...disabledProps(reason)}>
                {t('identityProvider.key.create')}
              </Button>
            }
          >
            {t('identityProvider.keys')}
          </Header>
        }
      />
      {creating ? (
        <AccessKeyDialog
          onMade={(key) => {
            setCreating(false);
            setMade(key);
          }}
          onClose={() => setCreating(false)}
        />
      ) : null}
      {revoking === undefined ? null : (
        <RevokeDialog programKey={revoking} onClose={() => setRevoking(undefined)} />
      )}
      {made === undefined ? null : (
        <NewSecretDialog
          made={{
            title: t('identityProvider.key.secretOf', { name: made.name }),
            idLabel: t('identityProvider.key.id'),
            id: made.accessKeyId,
            secret: made.secret,
            bond: made.bond,
          }}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}

/**
 * Confirms the revocation of an access key, which is disruptive: the application gets no more
 * tokens.
 */
function RevokeDialog({
  programKey,
  onClose,
}: {
  readonly programKey: ProgramKey;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const changed = useProviderChanged();
  const { accessKeyId, application } = programKey;
  const name = programKey.name === '' ? accessKeyId : programKey.name;
  const revoke = useMutation(
    api.provider.accessKeys.revoke.mutationOptions({
      onSuccess: () => {
        onClose();
        changed(t('identityProvider.key.revoked', { name }));
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('identityProvider.key.revokeTitle', { name })}
      confirmLabel={t('identityProvider.key.revoke')}
      busy={revoke.isPending}
      error={revoke.isError ? <ErrorView error={revoke.error} place="alert" /> : null}
      onConfirm={() => revoke.mutate({ accessKeyId })}
      onCancel={onClose}
    >
      {t('identityProvider.key.revokeBody', { application })}
    </ConfirmDialog>
  );
}

function columnsOf({
  t,
  format,
  reason,
  onRevoke,
}: {
  readonly t: Translate;
  readonly format: Formatters;
  readonly reason: string | undefined;
  readonly onRevoke: (key: ProgramKey) => void;
}): TableColumn<ProgramKey>[] {
  return [
    {
      id: 'name',
      header: t('identityProvider.column.name'),
      cell: ({ name }) => (name === '' ? '-' : name),
      rowHeader: true,
      always: true,
      width: 190,
    },
    {
      id: 'state',
      header: t('identityProvider.key.state'),
      cell: ({ ended, revokedAt }) =>
        ended ? (
          <StatusIndicator type="stopped">{t('identityProvider.key.ended')}</StatusIndicator>
        ) : revokedAt === null ? (
          <StatusIndicator type="success">{t('identityProvider.key.inUse')}</StatusIndicator>
        ) : (
          <StatusIndicator type="stopped">
            {t('identityProvider.key.revokedAt', { date: format.absolute(Date.parse(revokedAt)) })}
          </StatusIndicator>
        ),
      width: 170,
    },
    {
      id: 'id',
      header: t('identityProvider.key.id'),
      cell: ({ accessKeyId }) => (
        <CopyableId value={accessKeyId} name={t('identityProvider.key.id')} />
      ),
      width: 235,
    },
    {
      id: 'application',
      header: t('identityProvider.key.application'),
      cell: ({ application }) => application,
      width: 150,
    },
    {
      id: 'scopes',
      header: t('identityProvider.key.scopes'),
      cell: ({ scopes }) => (scopes.length === 0 ? '-' : format.list(scopes)),
      width: 100,
    },
    {
      id: 'created',
      header: t('identityProvider.column.created'),
      cell: ({ createdAt }) => <Time at={createdAt} />,
      width: 120,
    },
    {
      id: 'acts',
      header: t('identityProvider.column.acts'),
      cell: (key) =>
        key.revokedAt === null ? (
          <Button
            variant="inline-link"
            ariaLabel={t('identityProvider.key.revokeOf', { name: key.name })}
            onClick={() => onRevoke(key)}
            {...disabledProps(reason)}
          >
            {t('identityProvider.key.revoke')}
          </Button>
        ) : null,
      width: 90,
    },
  ];
}
