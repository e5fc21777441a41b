import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { RoleRow } from '@deviceportal/contract/access';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { useFlash } from '../../ui/flash-store.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { permissionWords, scopeWords } from './permission-words.ts';
import { draftOf, roleDifference, roleOf, scopeOf, type RoleDraft } from './role-draft.ts';
import { RoleForm } from './role-form.tsx';

export interface EditRoleProps {
  readonly role: RoleRow;
  readonly onDone: () => void;
}

/** Edits a custom role, with a preview of what the change does to its users. */
export function EditRole({ role, onDone }: EditRoleProps): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const flash = useFlash();
  // The role as it was opened. A concurrent change by another user must be shown, not overwritten.
  const [opened] = useState(role);
  const edit = useMutation(
    api.access.roles.edit.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(api.access.pathFilter());
        flash.add({ type: 'success', content: t('access.form.saved', { name: role.name }) });
        onDone();
      },
    }),
  );
  return (
    <RoleForm
      header={<PageHeader title={t('access.form.editTitle', { name: opened.name })} />}
      start={draftOf(opened)}
      submitLabel={t('access.form.save')}
      busy={edit.isPending}
      error={edit.error}
      summary={(draft) => <Difference before={opened} draft={draft} />}
      onSubmit={(draft) =>
        edit.mutate({ ...roleOf(draft), id: opened.id, basedOn: opened.updatedAt })
      }
      onCancel={onDone}
    />
  );
}

function Difference({
  before,
  draft,
}: {
  readonly before: RoleRow;
  readonly draft: RoleDraft;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const { added, removed, isScopeChanged } = roleDifference(draftOf(before), draft);
  const isSame = added.length === 0 && removed.length === 0 && !isScopeChanged;
  const words = (permissions: typeof added): string =>
    format.list(permissions.map((permission) => permissionWords(permission, t)));
  return (
    <Alert
      type={isSame ? 'info' : 'warning'}
      header={
        isSame
          ? t('access.diff.none')
          : t('access.diff.title', {
              added: added.length,
              removed: removed.length,
              users: before.userCount,
            })
      }
    >
      <SpaceBetween size="xxs">
        {added.length === 0 ? null : <div>{t('access.diff.added', { list: words(added) })}</div>}
        {removed.length === 0 ? null : (
          <div>{t('access.diff.removed', { list: words(removed) })}</div>
        )}
        {isScopeChanged ? (
          <div>
            {t('access.diff.scope', {
              before: scopeWords(before.scope, t, format),
              after: scopeWords(scopeOf(draft), t, format),
            })}
          </div>
        ) : null}
      </SpaceBetween>
    </Alert>
  );
}
