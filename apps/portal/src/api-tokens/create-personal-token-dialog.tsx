import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { API_TOKEN_DAYS } from '@deviceportal/contract/api-tokens';
import { emptyRole, roleOf, type RoleDraft } from '../access/roles/role-draft.ts';
import { useApi } from '../api/use-api.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { labelProblems } from '../devices/labels-text.ts';
import { useT } from '../i18n/use-t.ts';
import { fieldIssues } from '../ui/field-issues.ts';
import { TokenBasics, type CreateTokenProps } from './token-basics.tsx';
import { TokenGrantFields } from './token-grant-fields.tsx';

const FIELDS = ['name', 'days'];

/** Creates a token that acts as the viewer, with some of their permissions. */
export function CreatePersonalTokenDialog(props: CreateTokenProps): ReactNode {
  const { mostDays, onMade, onClose } = props;
  const t = useT();
  const api = useApi();
  const [draft, setDraft] = useState<RoleDraft>(emptyRole);
  const [days, setDays] = useState(String(Math.min(API_TOKEN_DAYS.usual, mostDays)));
  const create = useMutation(
    api.apiTokens.createPersonal.mutationOptions({ onSuccess: (made) => onMade(made, draft.name) }),
  );
  const change = (part: Partial<RoleDraft>): void => setDraft((old) => ({ ...old, ...part }));
  const isWhole =
    draft.name.trim() !== '' &&
    days !== '' &&
    draft.permissions.length > 0 &&
    labelProblems(draft.labels).every((problem) => problem === null);
  return (
    <FormDialog
      title={t('apiTokens.createPersonalTitle')}
      submitLabel={t('apiTokens.create')}
      size="large"
      busy={create.isPending}
      error={create.error}
      fields={FIELDS}
      disabled={!isWhole}
      onSubmit={() => {
        const { name, permissions, scope } = roleOf(draft);
        create.mutate({ name, permissions, scope, days: Number(days) });
      }}
      onCancel={onClose}
    >
      <TokenBasics
        name={draft.name}
        days={days}
        mostDays={mostDays}
        issues={fieldIssues(create.error, t)}
        onName={(name) => change({ name })}
        onDays={setDays}
      />
      <TokenGrantFields draft={draft} onChange={change} />
    </FormDialog>
  );
}
