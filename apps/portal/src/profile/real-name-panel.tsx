import { getRealName } from '@deviceportal/identity-client';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { KeyValue } from '../ui/key-value.tsx';
import { Time } from '../ui/time/time.tsx';
import { AccountPanel } from './account-panel.tsx';
import { VerifyNameDialog } from './verify-name-dialog.tsx';
import { useAccountQuery } from './use-account.ts';

/** The verified real name of the account at the provider. */
export function RealNamePanel(): ReactNode {
  const t = useT();
  const query = useAccountQuery('real-name', getRealName);
  const [proving, setProving] = useState(false);
  return (
    <AccountPanel
      title={t('profile.realName.title')}
      description={t('profile.realName.hint')}
      query={query}
      actions={(known) =>
        known === null ? (
          <Button onClick={() => setProving(true)}>{t('profile.realName.prove')}</Button>
        ) : null
      }
    >
      {(known) => (
        <>
          {known === null ? (
            <StatusIndicator type="info">{t('profile.realName.none')}</StatusIndicator>
          ) : (
            <KeyValue
              columns={4}
              items={[
                {
                  label: t('profile.realName.kind'),
                  value: t(`profile.realName.type.${known.principalType}`),
                },
                { label: t('profile.realName.name'), value: known.principalName },
                { label: t('profile.realName.code'), value: known.principalCode },
                {
                  label: t('profile.realName.since'),
                  value: <Time at={known.authenticationTime} style="absolute" />,
                },
              ]}
            />
          )}
          {proving ? <VerifyNameDialog onClose={() => setProving(false)} /> : null}
        </>
      )}
    </AccountPanel>
  );
}
