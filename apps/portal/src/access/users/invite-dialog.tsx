import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Textarea from '@cloudscape-design/components/textarea';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { fieldIssues } from '../../ui/field-issues.ts';
import { FormDialog } from '../../devices/form-dialog.tsx';
import { useLanguage } from '../../i18n/language-store.ts';
import { useT } from '../../i18n/use-t.ts';
import { useFlash } from '../../ui/flash-store.ts';
import { navigateTo } from '../../ui/navigate-to.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { RoleChoice } from '../roles/role-choice.tsx';

const FIELDS = ['identifier', 'contact', 'name', 'roleIds'] as const;

const emptyDraft = {
  identifier: '',
  contact: '',
  name: '',
  roleIds: [] as readonly string[],
  note: '',
};

/** Codes are sent to an email address or phone number. A username needs one of them in addition. */
const isUserName = (identifier: string): boolean => !/[@+\s]/.test(identifier.trim());

/** Invites a user by email or text message. The user signs in with a code. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const t = useT();
  const api = useApi();
  const language = useLanguage();
  const queryClient = useQueryClient();
  const flash = useFlash();
  const [draft, setDraft] = useState(emptyDraft);
  const invite = useMutation(
    api.access.users.invite.mutationOptions({
      onSuccess: (user) => {
        void queryClient.invalidateQueries(api.access.pathFilter());
        flash.add({ type: 'success', content: t('access.invite.sent', { name: user.username }) });
        navigateTo(`/uam/users/${user.id}`);
      },
    }),
  );
  const change = (part: Partial<typeof emptyDraft>): void =>
    setDraft((old) => ({ ...old, ...part }));
  const issues = fieldIssues(invite.error, t);
  const isTaken = isTakenError(invite.error);
  return (
    <FormDialog
      title={t('access.invite.title')}
      submitLabel={t('access.invite.submit')}
      busy={invite.isPending}
      error={isTaken ? null : invite.error}
      fields={FIELDS}
      disabled={draft.identifier.trim() === ''}
      onSubmit={() => invite.mutate({ ...draft, roleIds: [...draft.roleIds], language })}
      onCancel={onClose}
    >
      <FormField
        label={t('access.invite.identifier')}
        description={t('access.invite.identifierHint')}
        errorText={
          isTaken ? (
            <Taken error={invite.error} />
          ) : (
            words(issues.get('identifier'), 'identifier', t)
          )
        }
      >
        <Input
          value={draft.identifier}
          autoComplete={false}
          onChange={({ detail }) => change({ identifier: detail.value })}
        />
      </FormField>
      {draft.identifier !== '' && isUserName(draft.identifier) ? (
        <FormField
          label={t('access.invite.contact')}
          description={t('access.invite.contactHint')}
          errorText={words(issues.get('contact'), 'contact', t)}
        >
          <Input
            value={draft.contact}
            autoComplete={false}
            onChange={({ detail }) => change({ contact: detail.value })}
          />
        </FormField>
      ) : null}
      <FormField label={t('access.column.name')} errorText={issues.get('name')}>
        <Input value={draft.name} onChange={({ detail }) => change({ name: detail.value })} />
      </FormField>
      <FormField label={t('access.column.roles')} errorText={issues.get('roleIds')}>
        <RoleChoice chosen={draft.roleIds} onChange={(roleIds) => change({ roleIds })} />
      </FormField>
      <FormField label={t('access.invite.note')} description={t('access.invite.noteHint')}>
        <Textarea
          value={draft.note}
          rows={2}
          onChange={({ detail }) => change({ note: detail.value.slice(0, 500) })}
        />
      </FormField>
    </FormDialog>
  );
}

function words(
  issue: string | undefined,
  field: 'identifier' | 'contact',
  t: ReturnType<typeof useT>,
): string | null {
  return issue === undefined ? null : t(`access.invite.wrong.${field}`);
}

function isTakenError(error: unknown): boolean {
  return error !== null && error !== undefined && portalErrorOf(error).name === 'userAlreadyExists';
}

/** Reports an identifier that is already in use (7001), with a link to its user. */
function Taken({ error }: { readonly error: unknown }): ReactNode {
  const t = useT();
  const { facts } = portalErrorOf(error);
  return (
    <>
      {t('access.invite.taken')}{' '}
      <PortalLink href={`/uam/users/${String(facts['userId'] ?? '')}`}>
        {t('access.invite.openTaken')}
      </PortalLink>
    </>
  );
}
