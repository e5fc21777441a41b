import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import {
  providerProtocols,
  registrationRules,
  secondStepRules,
  type ProviderProtocol,
} from '@deviceportal/contract/provider-admin';
import { useT } from '../i18n/use-t.ts';
import type { ApplicationDraft } from './application-draft.ts';

/** The protocols of an application, whether it requires a second factor, and who can register. */
export function SignInRules({
  draft,
  onChange,
}: {
  readonly draft: ApplicationDraft;
  readonly onChange: (part: Partial<ApplicationDraft>) => void;
}): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="m">
      <Protocols chosen={draft.protocols} onChange={(protocols) => onChange({ protocols })} />
      <FormField label={t('identityProvider.application.secondStep')} stretch>
        <RadioGroup
          value={draft.secondStep}
          items={secondStepRules.map((value) => ({
            value,
            label: t(`identityProvider.secondStep.${value}`),
            description: t(`identityProvider.secondStepHint.${value}`),
          }))}
          onChange={({ detail }) =>
            onChange({
              secondStep: secondStepRules.find((rule) => rule === detail.value) ?? 'as-provider',
            })
          }
        />
      </FormField>
      <FormField label={t('identityProvider.application.registration')} stretch>
        <RadioGroup
          value={draft.registration}
          items={registrationRules.map((value) => ({
            value,
            label: t(`identityProvider.registration.${value}`),
            description: t(`identityProvider.registrationHint.${value}`),
          }))}
          onChange={({ detail }) =>
            onChange({
              registration:
                registrationRules.find((rule) => rule === detail.value) ?? 'as-provider',
            })
          }
        />
      </FormField>
    </SpaceBetween>
  );
}

function Protocols({
  chosen,
  onChange,
}: {
  readonly chosen: readonly ProviderProtocol[];
  readonly onChange: (chosen: readonly ProviderProtocol[]) => void;
}): ReactNode {
  const t = useT();
  return (
    <FormField
      label={t('identityProvider.application.protocols')}
      description={t('identityProvider.application.protocolsHint')}
      stretch
    >
      <SpaceBetween size="xs">
        {providerProtocols.map((protocol) => (
          <Checkbox
            key={protocol}
            checked={chosen.includes(protocol)}
            onChange={({ detail }) =>
              onChange(
                detail.checked ? [...chosen, protocol] : chosen.filter((each) => each !== protocol),
              )
            }
          >
            {t(`identityProvider.protocol.${protocol}`)}
          </Checkbox>
        ))}
      </SpaceBetween>
    </FormField>
  );
}
