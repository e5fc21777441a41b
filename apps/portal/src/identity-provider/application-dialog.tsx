import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState, type ReactNode } from 'react';
import type { MadeApplication, ProviderApplication } from '@deviceportal/contract/provider-admin';
import { fieldIssues } from '../ui/field-issues.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { linesOf } from './address-lines.tsx';
import { ApplicationAddresses } from './application-addresses.tsx';
import { applicationDraftOf, type ApplicationDraft } from './application-draft.ts';
import { SignInRules } from './sign-in-rules.tsx';
import { useSaveApplication } from './use-save-application.ts';

const FIELDS = ['name', 'description', 'redirectUris', 'logoutRedirectUris', 'allowedOrigins'];

/** Creates or edits an application that users sign in to through the identity provider. */
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
  const [draft, setDraft] = useState(() => applicationDraftOf(application));
  const save = useSaveApplication(application, { onMade, onClose });
  const issues = fieldIssues(save.error, t);
  const change = (part: Partial<ApplicationDraft>): void =>
    setDraft((old) => ({ ...old, ...part }));
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
      busy={save.isPending}
      error={save.error}
      fields={FIELDS}
      disabled={draft.name.trim() === '' || linesOf(draft.redirectUris).length === 0}
      onSubmit={() => save.save(draft)}
      onCancel={onClose}
    >
      <FormField label={t('identityProvider.column.name')} stretch>
        <Input value={draft.name} onChange={({ detail }) => change({ name: detail.value })} />
      </FormField>
      <FormField label={t('identityProvider.column.about')} stretch>
        <Input
          value={draft.description}
          onChange={({ detail }) => change({ description: detail.value })}
        />
      </FormField>
      <ApplicationAddresses draft={draft} issues={issues} onChange={change} />
      <SignInRules draft={draft} onChange={change} />
    </FormDialog>
  );
}
