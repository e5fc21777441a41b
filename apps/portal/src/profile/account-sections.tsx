import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMemo, type ReactNode } from 'react';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { useLanguage } from '../i18n/language-store.ts';
import { openAccount } from './account.ts';
import { AccountIdentity } from './account-identity.tsx';
import { AuthenticatorPanel } from './authenticator-panel.tsx';
import { DevicesPanel } from './devices-panel.tsx';
import { LinkedAccounts } from './linked-accounts.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { RealNamePanel } from './real-name-panel.tsx';
import { AccountProvider } from './use-account.ts';

export interface AccountSectionsProps {
  readonly provider: NonNullable<BrowserConfig['authing']>;
}

/** The sections of the account at the identity provider. */
export function AccountSections({ provider }: AccountSectionsProps): ReactNode {
  const language = useLanguage();
  const account = useMemo(() => openAccount(provider, language), [provider, language]);
  return (
    <AccountProvider value={account}>
      <SpaceBetween size="l">
        <AccountIdentity />
        <PasswordPanel />
        <AuthenticatorPanel />
        <DevicesPanel />
        <LinkedAccounts provider={provider} />
        <RealNamePanel />
      </SpaceBetween>
    </AccountProvider>
  );
}
