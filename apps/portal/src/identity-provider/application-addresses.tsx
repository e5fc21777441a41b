import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { AddressLines } from './address-lines.tsx';
import type { ApplicationDraft } from './application-draft.ts';

/**
 * Redirect and sign-out URIs of an application, and the origins from which it calls the provider.
 */
export function ApplicationAddresses({
  draft,
  issues,
  onChange,
}: {
  readonly draft: ApplicationDraft;
  readonly issues: ReadonlyMap<string, string>;
  readonly onChange: (part: Partial<ApplicationDraft>) => void;
}): ReactNode {
  const t = useT();
  const addressError = (field: string): string | undefined =>
    issues.has(field) ? t('identityProvider.wrong.address') : undefined;
  return (
    <SpaceBetween size="m">
      <AddressLines
        label={t('identityProvider.application.redirect')}
        hint={t('identityProvider.application.redirectHint')}
        error={addressError('redirectUris')}
        value={draft.redirectUris}
        onChange={(redirectUris) => onChange({ redirectUris })}
      />
      <AddressLines
        label={t('identityProvider.application.logout')}
        hint={t('identityProvider.application.logoutHint')}
        error={addressError('logoutRedirectUris')}
        value={draft.logoutRedirectUris}
        onChange={(logoutRedirectUris) => onChange({ logoutRedirectUris })}
      />
      <AddressLines
        label={t('identityProvider.application.origins')}
        hint={t('identityProvider.application.originsHint')}
        error={addressError('allowedOrigins')}
        value={draft.allowedOrigins}
        onChange={(allowedOrigins) => onChange({ allowedOrigins })}
      />
    </SpaceBetween>
  );
}
