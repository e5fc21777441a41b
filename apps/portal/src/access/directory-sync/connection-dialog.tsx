import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import {
  SCIM_TOKEN_DAYS,
  type NewScimToken,
  type ScimConnectionRow,
} from '@deviceportal/contract/scim';
import { useApi } from '../../api/use-api.ts';
import { FormDialog } from '../../devices/form-dialog.tsx';
import { useT } from '../../i18n/use-t.ts';
import { fieldIssues } from '../../ui/field-issues.ts';
import { RoleChoice } from '../roles/role-choice.tsx';
import { TokenDaysField } from './token-days-field.tsx';

const FIELDS = ['name', 'days'];

export interface ConnectionDialogProps {
  /** Absent for a new connection. */
  readonly connection?: ScimConnectionRow;
  readonly onMade: (token: NewScimToken, name: string) => void;
  readonly onSaved: (words: string) => void;
  readonly onClose: () => void;
}

/** Creates the connection of a directory, or changes its name and roles. */
export function ConnectionDialog(props: ConnectionDialogProps): ReactNode {
  const { connection, onMade, onSaved, onClose } = props;
  const t = useT();
  const api = useApi();
  const [name, setName] = useState(connection?.name ?? '');
  const [roleIds, setRoleIds] = useState(connection?.roleIds ?? []);
  const [days, setDays] = useState(String(SCIM_TOKEN_DAYS.usual));
  const create = useMutation(
    api.access.directoryConnections.create.mutationOptions({
      onSuccess: (token) => onMade(token, name),
    }),
  );
  const edit = useMutation(
    api.access.directoryConnections.edit.mutationOptions({
      onSuccess: () => onSaved(t('access.directory.saved', { name })),
    }),
  );
  const { error } = connection === undefined ? create : edit;
  const issues = fieldIssues(error, t);
  const submit = (): void => {
    const values = { name, roleIds: [...roleIds] };
    if (connection === undefined) create.mutate({ ...values, days: Number(days) });
    else edit.mutate({ ...values, id: connection.id });
  };
  return (
    <FormDialog
      title={
        connection === undefined
          ? t('access.directory.createTitle')
          : t('access.directory.editTitle', { name: connection.name })
      }
      submitLabel={
        connection === undefined ? t('access.directory.create') : t('access.directory.save')
      }
      busy={create.isPending || edit.isPending}
      error={error}
      fields={FIELDS}
      disabled={name.trim() === '' || days === ''}
      onSubmit={submit}
      onCancel={onClose}
    >
      <FormField
        label={t('access.directory.name')}
        description={t('access.directory.nameHint')}
        errorText={issues.get('name')}
      >
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <FormField label={t('access.directory.roles')} description={t('access.directory.rolesHint')}>
        <RoleChoice chosen={roleIds} onChange={setRoleIds} />
      </FormField>
      {connection === undefined ? (
        <TokenDaysField days={days} errorText={issues.get('days')} onChange={setDays} />
      ) : null}
    </FormDialog>
  );
}
