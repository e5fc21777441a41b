import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import {
  providerProtocols,
  registrationRules,
  secondStepRules,
  type MadeApplication,
  type ProviderApplication,
  type ProviderProtocol,
  type RegistrationRule,
  type SecondStepRule,
} from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { fieldIssues } from '../ui/field-issues.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { AddressLines, linesOf } from './address-lines.tsx';
import { useProviderChanged } from './use-provider-changed.ts';

const FIELDS = ['name', 'description', 'redirectUris', 'logoutRedirectUris', 'allowedOrigins'];

interface Draft {
  readonly name: string;
  readonly description: string;
  readonly redirectUris: string;
  readonly logoutRedirectUris: string;
  readonly allowedOrigins: string;
  readonly protocols: readonly ProviderProtocol[];
  readonly secondStep: SecondStepRule;
  readonly registration: RegistrationRule;
}

function draftOf(application: ProviderApplication | undefined): Draft {
  const { redirectUris = [], logoutRedirectUris = [], allowedOrigins = [] } = application ?? {};
  return {
    name: application?.name ?? '',
    description: application?.description ?? '',
    redirectUris: redirectUris.join('\n'),
    logoutRedirectUris: logoutRedirectUris.join('\n'),
    allowedOrigins: allowedOrigins.join('\n'),
    protocols: application?.protocols ?? ['oidc'],
    secondStep: application?.secondStep ?? 'as-provider',
    registration: application?.registration ?? 'as-provider',
  };
}

/** A program that lets people sign in here: a new one, or what stands of one. */
export function ApplicationDialog({
  application,
  onMade,
  onClose,
}: {
  readonly application?: ProviderApplication;
  readonly onMade: (made: MadeApplication) => void;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const changed = useProviderChanged();
  const [draft, setDraft] = useState(() => draftOf(application));
  const create = useMutation(
    api.provider.applications.create.mutationOptions({
      onSuccess: (made) => {
        changed();
        onMade(made);
      },
    }),
  );
  const edit = useMutation(
    api.provider.applications.edit.mutationOptions({
      onSuccess: () => {
        onClose();
        changed(t('identityProvider.saved', { name: draft.name }));
      },
    }),
  );
  const { error, isPending } = application === undefined ? create : edit;
  const issues = fieldIssues(error, t);
  const addressError = (field: string): string | undefined =>
    issues.has(field) ? t('identityProvider.wrong.address') : undefined;
  const change = (part: Partial<Draft>): void => setDraft((old) => ({ ...old, ...part }));
  const submit = (): void => {
    const input = {
      ...draft,
      protocols: [...draft.protocols],
      redirectUris: linesOf(draft.redirectUris),
      logoutRedirectUris: linesOf(draft.logoutRedirectUris),
      allowedOrigins: linesOf(draft.allowedOrigins),
    };
    if (application === undefined) create.mutate(input);
    else edit.mutate({ ...input, appId: application.appId, basedOn: application.modifiedAt });
  };
  return (
    <FormDialog
      title={
        application === undefined
          ? t('identityProvider.application.create')
          : t('identityProvider.application.editTitle', { name: application.name })
      }
      submitLabel={t(
        application === undefined ? 'identityProvider.act.create' : 'identityProvider.act.save',
      )}
      size="large"
      busy={isPending}
      error={error}
      fields={FIELDS}
      disabled={draft.name.trim() === '' || linesOf(draft.redirectUris).length === 0}
      onSubmit={submit}
      onCancel={onClose}
    >
      <FormField label={t('identityProvider.column.name')}>
        <Input value={draft.name} onChange={({ detail }) => change({ name: detail.value })} />
      </FormField>
      <FormField label={t('identityProvider.column.about')}>
        <Input
          value={draft.description}
          onChange={({ detail }) => change({ description: detail.value })}
        />
      </FormField>
      <AddressLines
        label={t('identityProvider.application.redirect')}
        hint={t('identityProvider.application.redirectHint')}
        error={addressError('redirectUris')}
        value={draft.redirectUris}
        onChange={(redirectUris) => change({ redirectUris })}
      />
      <AddressLines
        label={t('identityProvider.application.logout')}
        hint={t('identityProvider.application.logoutHint')}
        error={addressError('logoutRedirectUris')}
        value={draft.logoutRedirectUris}
        onChange={(logoutRedirectUris) => change({ logoutRedirectUris })}
      />
      <AddressLines
        label={t('identityProvider.application.origins')}
        hint={t('identityProvider.application.originsHint')}
        error={addressError('allowedOrigins')}
        value={draft.allowedOrigins}
        onChange={(allowedOrigins) => change({ allowedOrigins })}
      />
      <Protocols chosen={draft.protocols} onChange={(protocols) => change({ protocols })} />
      <FormField label={t('identityProvider.application.secondStep')}>
        <RadioGroup
          value={draft.secondStep}
          items={secondStepRules.map((value) => ({
            value,
            label: t(`identityProvider.secondStep.${value}`),
            description: t(`identityProvider.secondStepHint.${value}`),
          }))}
          onChange={({ detail }) =>
            change({
              secondStep: secondStepRules.find((rule) => rule === detail.value) ?? 'as-provider',
            })
          }
        />
      </FormField>
      <FormField label={t('identityProvider.application.registration')}>
        <RadioGroup
          value={draft.registration}
          items={registrationRules.map((value) => ({
            value,
            label: t(`identityProvider.registration.${value}`),
            description: t(`identityProvider.registrationHint.${value}`),
          }))}
          onChange={({ detail }) =>
            change({
              registration:
                registrationRules.find((rule) => rule === detail.value) ?? 'as-provider',
            })
          }
        />
      </FormField>
    </FormDialog>
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
