import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState, type ReactNode } from 'react';
import type { CaseDetail } from '@deviceportal/contract/cases';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { CasePlanFields, type CasePlan } from './assignment/case-plan-fields.tsx';
import { dueAtOf, dueDraftOf } from './assignment/due-draft.ts';
import { useCaseActs } from './use-case-acts.ts';

export interface EditCaseDialogProps {
  readonly found: CaseDetail;
  readonly onClose: () => void;
}

/** Edits what is often known only later: subject, ticket, priority, queue, and due time. */
export function EditCaseDialog({ found, onClose }: EditCaseDialogProps): ReactNode {
  const t = useT();
  const { update } = useCaseActs();
  const [ticket, setTicket] = useState(found.ticket);
  const [about, setAbout] = useState(found.about);
  const [plan, setPlan] = useState<CasePlan>(() => ({
    priority: found.priority,
    queue: found.queue,
    due: dueDraftOf(found.dueAt),
  }));
  const { priority, queue, due } = plan;
  const dueAt = dueAtOf(due);
  return (
    <FormDialog
      title={t('cases.edit.title')}
      submitLabel={t('cases.edit.submit')}
      busy={update.isPending}
      error={update.error}
      fields={[]}
      disabled={dueAt === undefined}
      onSubmit={() => {
        if (dueAt === undefined) return;
        const changes = { ticket, about, priority, queue };
        // The fields show minutes: an unchanged time keeps its seconds.
        const isSameDue = dueAt === dueAtOf(dueDraftOf(found.dueAt));
        update.mutate(
          { id: found.id, ...changes, ...(isSameDue ? {} : { dueAt }) },
          { onSuccess: onClose },
        );
      }}
      onCancel={onClose}
    >
      <FormField label={t('cases.about')} stretch>
        <Input value={about} onChange={({ detail }) => setAbout(detail.value.slice(0, 500))} />
      </FormField>
      <FormField label={t('cases.ticket')} stretch>
        <Input value={ticket} onChange={({ detail }) => setTicket(detail.value.slice(0, 100))} />
      </FormField>
      <CasePlanFields value={plan} onChange={setPlan} />
    </FormDialog>
  );
}
