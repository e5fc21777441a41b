import FormField from '@cloudscape-design/components/form-field';
import { useState, type ReactNode } from 'react';
import type { CaseRow } from '@deviceportal/contract/cases';
import { FormDialog } from '../../devices/form-dialog.tsx';
import { useT } from '../../i18n/use-t.ts';
import { useCaseActs } from '../use-case-acts.ts';
import { AssigneePicker, type Assignee } from './assignee-picker.tsx';

export interface AssignCaseDialogProps {
  readonly found: Pick<CaseRow, 'id' | 'person' | 'assignee'>;
  readonly onClose: () => void;
}

/** Assigns a case to a user, who is notified, or to no user. */
export function AssignCaseDialog({ found, onClose }: AssignCaseDialogProps): ReactNode {
  const t = useT();
  const { assign } = useCaseActs();
  const [assignee, setAssignee] = useState<Assignee | null>(found.assignee);
  return (
    <FormDialog
      title={t('cases.assign.title')}
      submitLabel={t('cases.assign.submit')}
      busy={assign.isPending}
      error={assign.error}
      fields={[]}
      onSubmit={() =>
        assign.mutate({ id: found.id, assigneeId: assignee?.id ?? null }, { onSuccess: onClose })
      }
      onCancel={onClose}
    >
      <FormField
        label={t('cases.assignee')}
        description={t('cases.assign.hint')}
        controlId="case-assignee"
        stretch
      >
        <AssigneePicker
          personId={found.person.id}
          value={assignee}
          controlId="case-assignee"
          onChange={setAssignee}
        />
      </FormField>
    </FormDialog>
  );
}
