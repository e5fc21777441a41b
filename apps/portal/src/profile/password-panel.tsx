import { getSecurityLevel } from '@deviceportal/identity-client';
import Button from '@cloudscape-design/components/button';
import { useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { KeyValue } from '../ui/key-value.tsx';
import { AccountPanel } from './account-panel.tsx';
import { ChangePasswordDialog } from './change-password-dialog.tsx';
import { levelWords } from './level-words.ts';
import { useAccountQuery } from './use-account.ts';

/** The security level of the account, and its password. */
export function PasswordPanel(): ReactNode {
  const t = useT();
  const query = useAccountQuery('security', getSecurityLevel);
  const [changing, setChanging] = useState(false);
  const yesNo = (has: boolean): string => t(has ? 'profile.security.yes' : 'profile.security.no');
  return (
    <AccountPanel
      title={t('profile.security.title')}
      query={query}
      actions={({ password }) => (
        <Button onClick={() => setChanging(true)}>
          {t(password ? 'profile.password.change' : 'profile.password.set')}
        </Button>
      )}
    >
      {(level) => (
        <>
          <KeyValue
            columns={4}
            items={[
              { label: t('profile.security.score'), value: String(level.score) },
              {
                label: t('profile.security.password'),
                value:
                  level.passwordSecurityLevel === null
                    ? yesNo(level.password)
                    : t(levelWords[level.passwordSecurityLevel]),
              },
              { label: t('profile.security.mfa'), value: yesNo(level.mfa) },
              { label: t('profile.security.email'), value: yesNo(level.email) },
              { label: t('profile.security.phone'), value: yesNo(level.phone) },
            ]}
          />
          {changing ? (
            <ChangePasswordDialog hasPassword={level.password} onClose={() => setChanging(false)} />
          ) : null}
        </>
      )}
    </AccountPanel>
  );
}
