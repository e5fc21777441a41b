import {
  associateTotp,
  listAuthenticators,
  removeTotp,
  type TotpAssociation,
} from '@deviceportal/identity-client';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useFlash } from '../ui/flash-store.ts';
import { Time } from '../ui/time/time.tsx';
import { AccountPanel } from './account-panel.tsx';
import { AccountProblem } from './account-problem.tsx';
import { AddAuthenticatorDialog } from './add-authenticator-dialog.tsx';
import { useAccountAct, useAccountQuery } from './use-account.ts';

/** The second factor: adds and removes an authenticator app. */
export function AuthenticatorPanel(): ReactNode {
  const t = useT();
  const query = useAccountQuery('authenticators', (client, options) =>
    listAuthenticators(client, {}, options),
  );
  const [association, setAssociation] = useState<TotpAssociation | null>(null);
  const [removing, setRemoving] = useState(false);
  const begin = useAccountAct((client, _input: undefined) => associateTotp(client), setAssociation);
  const enabled = query.data?.find(({ enable }) => enable);
  return (
    <AccountPanel
      title={t('profile.mfa.title')}
      description={t('profile.mfa.hint')}
      query={query}
      error={begin.error}
      actions={() =>
        enabled === undefined ? (
          <Button loading={begin.isPending} onClick={() => begin.mutate(undefined)}>
            {t('profile.mfa.add')}
          </Button>
        ) : (
          <Button onClick={() => setRemoving(true)}>{t('profile.mfa.remove')}</Button>
        )
      }
    >
      {() => (
        <>
          {enabled === undefined ? (
            <StatusIndicator type="info">{t('profile.mfa.off')}</StatusIndicator>
          ) : (
            <StatusIndicator type="success">
              {t('profile.mfa.on')} <Time at={enabled.createdAt} style="absolute" />
            </StatusIndicator>
          )}
          {association === null ? null : (
            <AddAuthenticatorDialog
              association={association}
              onClose={() => setAssociation(null)}
            />
          )}
          {removing ? <RemoveDialog onClose={() => setRemoving(false)} /> : null}
        </>
      )}
    </AccountPanel>
  );
}

function RemoveDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const t = useT();
  const flash = useFlash();
  const remove = useAccountAct(
    (client, _input: undefined) => removeTotp(client),
    () => {
      flash.add({ type: 'success', content: t('profile.mfa.removed') });
      onClose();
    },
  );
  return (
    <ConfirmDialog
      title={t('profile.mfa.remove')}
      confirmLabel={t('profile.mfa.remove')}
      busy={remove.isPending}
      error={<AccountProblem error={remove.error} />}
      onConfirm={() => remove.mutate(undefined)}
      onCancel={onClose}
    >
      {t('profile.mfa.removeBody')}
    </ConfirmDialog>
  );
}
