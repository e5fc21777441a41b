import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import type { ReactNode } from 'react';
import type { SamlMetadata } from '@deviceportal/contract/provider-admin';
import { useT } from '../i18n/use-t.ts';
import { AddressLines } from './address-lines.tsx';

export interface SamlDraft {
  readonly entityId: string;
  readonly acsUrls: string;
  readonly logoutUrl: string;
  readonly certificate: string;
}

export function samlDraftOf(service: SamlMetadata | undefined): SamlDraft {
  return {
    entityId: service?.entityId ?? '',
    acsUrls: service?.acsUrls.join('\n') ?? '',
    logoutUrl: service?.logoutUrl ?? '',
    certificate: service?.certificate ?? '',
  };
}

/** The entity ID, addresses, and certificate of a service provider. */
export function SamlServiceFields({
  draft,
  issues,
  onChange,
}: {
  readonly draft: SamlDraft;
  readonly issues: ReadonlyMap<string, string>;
  readonly onChange: (part: Partial<SamlDraft>) => void;
}): ReactNode {
  const t = useT();
  const wrong = (field: string, words: string) => issues.has(field) && { errorText: words };
  return (
    <SpaceBetween size="m">
      <FormField
        label={t('identityProvider.samlService.entityId')}
        {...wrong('entityId', t('identityProvider.wrong.entityId'))}
        stretch
      >
        <Input
          value={draft.entityId}
          spellcheck={false}
          onChange={({ detail }) => onChange({ entityId: detail.value })}
        />
      </FormField>
      <AddressLines
        label={t('identityProvider.samlService.acs')}
        hint={t('identityProvider.samlService.acsHint')}
        error={issues.has('acsUrls') ? t('identityProvider.wrong.address') : undefined}
        value={draft.acsUrls}
        onChange={(acsUrls) => onChange({ acsUrls })}
      />
      <FormField
        label={t('identityProvider.samlService.logout')}
        {...wrong('logoutUrl', t('identityProvider.wrong.address'))}
        stretch
      >
        <Input
          value={draft.logoutUrl}
          spellcheck={false}
          onChange={({ detail }) => onChange({ logoutUrl: detail.value })}
        />
      </FormField>
      <FormField
        label={t('identityProvider.samlService.certificate')}
        description={t('identityProvider.samlService.certificateHint')}
        {...wrong('certificate', t('identityProvider.wrong.certificate'))}
        stretch
      >
        <Textarea
          value={draft.certificate}
          rows={4}
          spellcheck={false}
          placeholder="-----BEGIN CERTIFICATE-----"
          onChange={({ detail }) => onChange({ certificate: detail.value })}
        />
      </FormField>
    </SpaceBetween>
  );
}
