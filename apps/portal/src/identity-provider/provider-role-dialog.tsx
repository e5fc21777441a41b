import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ProviderRole } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { fieldIssues } from '../ui/field-issues.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { useProviderChanged } from './use-provider-changed.ts';

const FIELDS = ['namespace', 'code', 'description'];

/**
 * Creates or edits an application role. Applications identify it by its code and namespace, which
 * cannot be changed.
 */
export function ProviderRoleDialog({
  role,
  onClose,
}: {
  readonly role?: ProviderRole;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const changed = useProviderChanged();
  const [namespace, setNamespace] = useState(role?.namespace ?? 'default');
  const [code, setCode] = useState(role?.code ?? '');
  const [description, setDescription] = useState(role?.description ?? '');
  const onSuccess = (): void => {
    onClose();
    changed(t('identityProvider.saved', { name: code }));
  };
  const create = useMutation(api.provider.roles.create.mutationOptions({ onSuccess }));
  const edit = useMutation(api.provider.roles.edit.mutationOptions({ onSuccess }));
  const { error, isPending } = role === undefined ? create : edit;
  const issues = fieldIssues(error, t);
  const wrong = (field: string) =>
    issues.has(field) && { errorText: t('identityProvider.wrong.code') };
  return (
    <FormDialog
      title={
        role === undefined
          ? t('identityProvider.role.create')
          : t('identityProvider.role.editTitle', { name: role.code })
      }
      submitLabel={t('identityProvider.act.save')}
      busy={isPending}
      error={error}
      fields={FIELDS}
      disabled={code.trim() === '' || namespace.trim() === ''}
      onSubmit={() => {
        if (role === undefined) create.mutate({ namespace, code, description });
        else edit.mutate({ id: role.id, description });
      }}
      onCancel={onClose}
    >
      <FormField
        label={t('identityProvider.column.code')}
        description={t('identityProvider.role.codeHint')}
        {...wrong('code')}
        stretch
      >
        <Input
          value={code}
          spellcheck={false}
          disabled={role !== undefined}
          onChange={({ detail }) => setCode(detail.value)}
        />
      </FormField>
      <FormField
        label={t('identityProvider.role.namespace')}
        description={t('identityProvider.role.namespaceHint')}
        {...wrong('namespace')}
        stretch
      >
        <Input
          value={namespace}
          spellcheck={false}
          disabled={role !== undefined}
          onChange={({ detail }) => setNamespace(detail.value)}
        />
      </FormField>
      <FormField label={t('identityProvider.column.about')} stretch>
        <Input value={description} onChange={({ detail }) => setDescription(detail.value)} />
      </FormField>
    </FormDialog>
  );
}
