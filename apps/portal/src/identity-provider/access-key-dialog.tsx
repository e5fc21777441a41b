import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { MadeProgramKey } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { fieldIssues } from '../ui/field-issues.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { ApplicationSelect } from './application-select.tsx';
import { useProviderChanged } from './use-provider-changed.ts';

const FIELDS = ['name', 'appId', 'scopes'];

/** Creates an access key for an application. */
export function AccessKeyDialog({
  onMade,
  onClose,
}: {
  readonly onMade: (made: MadeProgramKey) => void;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const changed = useProviderChanged();
  const [name, setName] = useState('');
  const [appId, setAppId] = useState('');
  const [scopes, setScopes] = useState('');
  const create = useMutation(
    api.provider.accessKeys.create.mutationOptions({
      onSuccess: (made) => {
        changed();
        onMade(made);
      },
    }),
  );
  const issues = fieldIssues(create.error, t);
  const wanted = scopes.split(/[\s,，、]+/).filter((scope) => scope !== '');
  return (
    <FormDialog
      title={t('identityProvider.key.create')}
      submitLabel={t('identityProvider.act.create')}
      busy={create.isPending}
      error={create.error}
      fields={FIELDS}
      disabled={name.trim() === '' || appId === ''}
      onSubmit={() => create.mutate({ name, appId, scopes: wanted })}
      onCancel={onClose}
    >
      <FormField
        label={t('identityProvider.column.name')}
        description={t('identityProvider.key.nameHint')}
        stretch
      >
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <FormField label={t('identityProvider.key.application')} stretch>
        <ApplicationSelect chosen={appId} onChange={setAppId} />
      </FormField>
      <FormField
        label={t('identityProvider.key.scopes')}
        description={t('identityProvider.key.scopesHint')}
        {...(issues.has('scopes') && { errorText: t('identityProvider.wrong.code') })}
        stretch
      >
        <Input
          value={scopes}
          spellcheck={false}
          onChange={({ detail }) => setScopes(detail.value)}
        />
      </FormField>
    </FormDialog>
  );
}
