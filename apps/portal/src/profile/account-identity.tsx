import { updateAvatar, type User } from '@deviceportal/identity-client';
import Button from '@cloudscape-design/components/button';
import Grid from '@cloudscape-design/components/grid';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { useFlash } from '../ui/flash-store.ts';
import { KeyValue } from '../ui/key-value.tsx';
import { Time } from '../ui/time/time.tsx';
import { AccountPanel } from './account-panel.tsx';
import { currentUser } from './current-user.ts';
import { EditNamesDialog } from './edit-names-dialog.tsx';
import './profile.css';
import { useAccountAct, useAccountQuery } from './use-account.ts';

/** The name, picture, and addresses of the account, with forms to change them. */
export function AccountIdentity(): ReactNode {
  const t = useT();
  const flash = useFlash();
  const query = useAccountQuery('user', currentUser);
  const [editing, setEditing] = useState(false);
  const photo = useAccountAct(
    (client, _input: undefined) => updateAvatar(client),
    () => flash.add({ type: 'success', content: t('profile.account.photoChanged') }),
  );
  return (
    <AccountPanel
      title={t('profile.account.title')}
      description={t('profile.account.hint')}
      query={query}
      error={photo.error}
      actions={() => (
        <SpaceBetween direction="horizontal" size="xs">
          <Button loading={photo.isPending} onClick={() => photo.mutate(undefined)}>
            {t('profile.account.changePhoto')}
          </Button>
          <Button onClick={() => setEditing(true)}>{t('profile.account.edit')}</Button>
        </SpaceBetween>
      )}
    >
      {(user) => (
        <>
          <Facts user={user} />
          {editing ? <EditNamesDialog user={user} onClose={() => setEditing(false)} /> : null}
        </>
      )}
    </AccountPanel>
  );
}

function Facts({ user }: { readonly user: User }): ReactNode {
  const t = useT();
  const proven = (value: string | null | undefined, verified: boolean | null | undefined) =>
    value
      ? t(verified ? 'profile.account.verified' : 'profile.account.unverified', { value })
      : null;
  return (
    <Grid
      gridDefinition={[{ colspan: { default: 12, s: 2 } }, { colspan: { default: 12, s: 10 } }]}
    >
      {user.photo ? (
        <img className="dp-portrait" src={user.photo} alt={t('profile.account.photo')} />
      ) : (
        <span className="dp-portrait">{t('profile.account.noPhoto')}</span>
      )}
      <KeyValue
        columns={3}
        hasLongValues
        items={[
          { label: t('profile.account.name'), value: user.name },
          { label: t('profile.account.nickname'), value: user.nickname },
          { label: t('profile.account.username'), value: user.username },
          { label: t('profile.account.email'), value: proven(user.email, user.emailVerified) },
          { label: t('profile.account.phone'), value: proven(user.phone, user.phoneVerified) },
          {
            label: t('profile.account.lastLogin'),
            value: <Time at={user.lastLogin} style="absolute" />,
          },
        ]}
      />
    </Grid>
  );
}
