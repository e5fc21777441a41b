import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState, type ReactNode } from 'react';
import type { CaseDetail } from '@deviceportal/contract/cases';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { useCaseActs } from './use-case-acts.ts';

export interface EditCaseDialogProps {
  readonly found: CaseDetail;
  readonly onClose: () => void;
}

/** Edits the subject and the ticket, which is often known only later. */
export function EditCaseDialog({ found, onClose }: EditCaseDialogProps): ReactNode {
  const t = useT();
  const { update } = useCaseActs();
  const [ticket, setTicket] = useState(found.ticket);
  const [about, setAbout] = useState(found.about);
  return (
    <FormDialog
      title={t('cases.edit.title')}
      submitLabel={t('cases.edit.submit')}
      busy={update.isPending}
      error={update.error}
      fields={[]}
      onSubmit={() => update.mutate({ id: found.id, ticket, about }, { onSuccess: onClose })}
      onCancel={onClose}
    >
      <FormField label={t('cases.about')} stretch>
        <Input value={about} onChange={({ detail }) => setAbout(detail.value.slice(0, 500))} />
      </FormField>
      <FormField label={t('cases.ticket')} stretch>
        <Input value={ticket} onChange={({ detail }) => setTicket(detail.value.slice(0, 100))} />
      </FormField>
    </FormDialog>
  );
}
