import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { OwnPasskey, OwnPasskeys } from '@deviceportal/contract/passkeys';
import { useApi } from '../../api/use-api.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx';
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx';
import { usePasskeyChanges, type PasskeyChanges } from './use-passkey-changes.ts';

/** The user’s passkeys and recovery codes. */
export function PasskeysPanel(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(api.passkeys.list.queryOptions());
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [renaming, setRenaming] = useState<OwnPasskey | null>(null);
  const [removing, setRemoving] = useState<OwnPasskey | null>(null);
  const changes = usePasskeyChanges({ onCodes: setCodes });
  const { data } = query;
  const { whenFresh } = changes;
  const columns = useMemo(
    (): readonly TableColumn<OwnPasskey>[] => [
      ...passkeyColumns(t),
      {
        id: 'acts',
        header: t('profile.passkeys.acts'),
        cell: (passkey) => (
          <SpaceBetween direction="horizontal" size="s">
            <Button
              variant="inline-link"
              ariaLabel={t('profile.passkeys.renameOne', { name: passkey.name })}
              onClick={() => setRenaming(passkey)}
            >
              {t('profile.passkeys.rename')}
            </Button>
            <Button
              variant="inline-link"
              ariaLabel={t('profile.passkeys.removeOne', { name: passkey.name })}
              onClick={() => data && whenFresh(data, () => setRemoving(passkey))}
            >
              {t('profile.passkeys.remove')}
            </Button>
          </SpaceBetween>
        ),
        width: 200,
      },
    ],
    [t, data, whenFresh],
  );
  return (
    <SpaceBetween size="s">
      <DataTable
        id="own-passkeys"
        label={t('profile.passkeys.title')}
        variant="container"
        withoutSettings
        columns={columns}
        rows={data?.passkeys}
        rowKey={({ id }) => id}
        query={query}
        empty={{ title: t('profile.passkeys.none'), body: t('profile.passkeys.noneHint') }}
        header={<PanelHeader data={data} changes={changes} />}
      />
      {data === undefined || data.passkeys.length === 0 ? null : (
        <Choices data={data} changes={changes} />
      )}
      {codes === null ? null : <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
      {renaming === null ? null : (
        <RenamePasskeyDialog passkey={renaming} onClose={() => setRenaming(null)} />
      )}
      {removing === null ? null : (
        <RemovePasskeyDialog
          passkey={removing}
          isLast={data?.askedAt !== null && data?.passkeys.length === 1}
          remove={changes.remove}
          onClose={() => setRemoving(null)}
        />
      )}
    </SpaceBetween>
  );
}

interface PartProps {
  readonly data: OwnPasskeys;
  readonly changes: PasskeyChanges;
}

function PanelHeader({
  data,
  changes,
}: Pick<PartProps, 'changes'> & { readonly data: OwnPasskeys | undefined }): ReactNode {
  const t = useT();
  const canAdd = data?.isAvailable === true && 'PublicKeyCredential' in window;
  return (
    <Header
      variant="h2"
      {...(data !== undefined && {
        description: t(`profile.passkeys.hint.${data.askedAt ?? 'elsewhere'}`),
      })}
      actions={
        <Button
          loading={changes.add.isPending}
          disabled={!canAdd}
          {...(data !== undefined &&
            !canAdd && { disabledReason: t('profile.passkeys.unavailable') })}
          onClick={() => data && changes.whenFresh(data, () => changes.add.mutate())}
        >
          {t('profile.passkeys.add')}
        </Button>
      }
    >
      {t('profile.passkeys.title')}
    </Header>
  );
}

function Choices({ data, changes }: PartProps): ReactNode {
  const t = useT();
  const left = data.recoveryCodesLeft;
  return (
    <SpaceBetween size="s">
      {data.askedAt === null ? null : (
        <Toggle
          checked={data.signsIn}
          disabled={changes.setSignIn.isPending}
          description={t(`profile.passkeys.signInHint.${data.askedAt}`)}
          onChange={({ detail }) =>
            changes.whenFresh(data, () => changes.setSignIn.mutate({ signsIn: detail.checked }))
          }
        >
          {t('profile.passkeys.signIn')}
        </Toggle>
      )}
      <Alert
        type={left < FEW_CODES ? 'warning' : 'info'}
        action={
          <Button
            loading={changes.createCodes.isPending}
            onClick={() => changes.whenFresh(data, () => changes.createCodes.mutate())}
          >
            {t('profile.passkeys.newCodes')}
          </Button>
        }
      >
        {t('profile.passkeys.codesLeft', { count: left })}
      </Alert>
    </SpaceBetween>
  );
}

const FEW_CODES = 3;

const passkeyColumns = (t: Translate): TableColumn<OwnPasskey>[] => [
  {
    id: 'name',
    header: t('profile.passkeys.name'),
    cell: ({ name }) => name,
    rowHeader: true,
    always: true,
    width: 240,
  },
  {
    id: 'where',
    header: t('profile.passkeys.where'),
    cell: ({ isSynced }) => t(`profile.passkeys.${isSynced ? 'synced' : 'oneDevice'}`),
    width: 200,
  },
  {
    id: 'created',
    header: t('profile.passkeys.created'),
    cell: ({ createdAt }) => <Time at={createdAt} style="absolute" />,
    width: 200,
  },
  {
    id: 'used',
    header: t('profile.passkeys.used'),
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? t('profile.passkeys.never') : <Time at={lastUsedAt} style="absolute" />,
    width: 200,
  },
];
