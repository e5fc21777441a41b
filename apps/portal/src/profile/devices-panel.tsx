import {
  listMyDevices,
  registerDevice,
  revokeDeviceSession,
  unbindDevice,
  type IdentityClient,
  type SignedInDevice,
} from '@deviceportal/identity-client';
import Badge from '@cloudscape-design/components/badge';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMemo, type ReactNode } from 'react';
import { useT, type Translate } from '../i18n/use-t.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { AccountProblem } from './account-problem.tsx';
import { deviceIdOf, deviceNameOf, isThisBrowser } from './device-facts.ts';
import { useAccountAct, useAccountQuery } from './use-account.ts';

type Act = 'register' | 'revoke' | 'unbind';

/** Throws if the provider’s client returns false, which means that a change failed. */
async function perform(
  client: IdentityClient,
  { act, id }: { readonly act: Act; readonly id: string },
): Promise<void> {
  const acts = {
    register: () => registerDevice(client),
    revoke: () => revokeDeviceSession(client, id),
    unbind: () => unbindDevice(client, id),
  };
  if (!(await acts[act]())) throw new Error('The identity provider rejected the change.');
}

/** The browsers in which the account was used, which can be signed out or removed. */
export function DevicesPanel(): ReactNode {
  const t = useT();
  const query = useAccountQuery('devices', listMyDevices);
  const change = useAccountAct(perform);
  const { mutate } = change;
  const columns = useMemo(
    (): readonly TableColumn<SignedInDevice>[] => [
      ...deviceColumns(t),
      {
        id: 'acts',
        header: t('profile.devices.acts'),
        cell: (device) => (
          <DeviceActions device={device} onAct={(act) => mutate({ act, id: deviceIdOf(device) })} />
        ),
        width: 200,
      },
    ],
    [t, mutate],
  );
  const isKnown = query.data?.some(isThisBrowser) ?? true;
  return (
    <SpaceBetween size="s">
      <DataTable
        id="own-devices"
        label={t('profile.devices.title')}
        variant="container"
        withoutSettings
        columns={columns}
        rows={query.data}
        rowKey={deviceIdOf}
        query={query}
        empty={{ title: t('profile.devices.none'), body: t('profile.devices.noneHint') }}
        header={
          <Header
            variant="h2"
            description={t('profile.devices.hint')}
            actions={
              <Button
                disabled={isKnown}
                loading={change.isPending && change.variables?.act === 'register'}
                onClick={() => mutate({ act: 'register', id: '' })}
              >
                {t('profile.devices.register')}
              </Button>
            }
          >
            {t('profile.devices.title')}
          </Header>
        }
      />
      <AccountProblem error={change.error} />
    </SpaceBetween>
  );
}

const deviceColumns = (t: Translate): TableColumn<SignedInDevice>[] => [
  {
    id: 'name',
    header: t('profile.devices.name'),
    cell: (device) => (
      <>
        {deviceNameOf(device)}{' '}
        {isThisBrowser(device) ? <Badge color="blue">{t('profile.devices.current')}</Badge> : null}
      </>
    ),
    rowHeader: true,
    always: true,
    width: 320,
  },
  {
    id: 'address',
    header: t('profile.devices.address'),
    cell: ({ lastIp }) => lastIp ?? '-',
    width: 180,
  },
  {
    id: 'last',
    header: t('profile.devices.last'),
    cell: ({ lastLoginTime }) => <Time at={lastLoginTime} style="absolute" />,
    width: 220,
  },
  {
    id: 'state',
    header: t('profile.devices.state'),
    cell: ({ online }) => t(online ? 'profile.devices.online' : 'profile.devices.offline'),
    width: 140,
  },
];

function DeviceActions({
  device,
  onAct,
}: {
  readonly device: SignedInDevice;
  readonly onAct: (act: Act) => void;
}): ReactNode {
  const t = useT();
  const button = (act: Act, text: string): ReactNode => (
    <Button
      variant="inline-link"
      ariaLabel={`${text}: ${deviceNameOf(device)}`}
      onClick={() => onAct(act)}
    >
      {text}
    </Button>
  );
  return (
    <SpaceBetween direction="horizontal" size="s">
      {isThisBrowser(device) ? null : button('revoke', t('profile.devices.signOut'))}
      {button('unbind', t('profile.devices.forget'))}
    </SpaceBetween>
  );
}
