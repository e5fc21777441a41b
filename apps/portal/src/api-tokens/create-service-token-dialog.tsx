import FormField from '@cloudscape-design/components/form-field';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { API_TOKEN_DAYS } from '@deviceportal/contract/api-tokens';
import { RoleChoice } from '../access/roles/role-choice.tsx';
import { useApi } from '../api/use-api.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { fieldIssues } from '../ui/field-issues.ts';
import { TokenBasics, type CreateTokenProps } from './token-basics.tsx';

const FIELDS = ['name', 'days'];

/** Creates a token of an application, with roles of its own. */
export function CreateServiceTokenDialog(props: CreateTokenProps): ReactNode {
  const { mostDays, onMade, onClose } = props;
  const t = useT();
  const api = useApi();
  const [name, setName] = useState('');
  const [days, setDays] = useState(String(Math.min(API_TOKEN_DAYS.usual, mostDays)));
  const [roleIds, setRoleIds] = useState<readonly string[]>([]);
  const create = useMutation(
    api.apiTokens.createService.mutationOptions({ onSuccess: (made) => onMade(made, name) }),
  );
  return (
    <FormDialog
      title={t('apiTokens.createServiceTitle')}
      submitLabel={t('apiTokens.create')}
      busy={create.isPending}
      error={create.error}
      fields={FIELDS}
      disabled={name.trim() === '' || days === '' || roleIds.length === 0}
      onSubmit={() => create.mutate({ name, days: Number(days), roleIds: [...roleIds] })}
      onCancel={onClose}
    >
      <TokenBasics
        {...{ name, days, mostDays }}
        issues={fieldIssues(create.error, t)}
        onName={setName}
        onDays={setDays}
      />
      <FormField label={t('apiTokens.roles')} description={t('apiTokens.rolesHint')}>
        <RoleChoice chosen={roleIds} onChange={setRoleIds} />
      </FormField>
    </FormDialog>
  );
}
