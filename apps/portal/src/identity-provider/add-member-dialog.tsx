import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState, type ReactNode } from 'react';
import { fieldIssues } from '../ui/field-issues.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import type { MemberChange } from './member-change.ts';

/** Adds a user by email address, phone number, or username. */
export function AddMemberDialog({
  title,
  ownerId,
  add,
  onClose,
}: {
  readonly title: string;
  readonly ownerId: string;
  readonly add: MemberChange<{ id: string; person: string }>;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const [person, setPerson] = useState('');
  const isUnknown = fieldIssues(add.error, t).has('person');
  return (
    <FormDialog
      title={title}
      submitLabel={t('identityProvider.member.add')}
      busy={add.isPending}
      error={add.error}
      fields={['person']}
      disabled={person.trim() === ''}
      onSubmit={() => add.mutate({ id: ownerId, person }, { onSuccess: onClose })}
      onCancel={onClose}
    >
      <FormField
        label={t('identityProvider.member.person')}
        description={t('identityProvider.member.personHint')}
        {...(isUnknown && { errorText: t('identityProvider.wrong.person') })}
        stretch
      >
        <Input value={person} onChange={({ detail }) => setPerson(detail.value)} />
      </FormField>
    </FormDialog>
  );
}
