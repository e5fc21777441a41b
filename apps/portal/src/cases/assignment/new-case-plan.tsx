import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { useViewer } from '../../session/viewer-context.tsx';
import { AssigneePicker, type Assignee } from './assignee-picker.tsx';
import { CasePlanFields, type CasePlan } from './case-plan-fields.tsx';
import { dueAtOf, dueDraftOf } from './due-draft.ts';

const newPlan: CasePlan = { priority: 'normal', queue: '', due: dueDraftOf(null) };

/** Assignee, priority, queue, and due time of a case that is being opened: at first its user. */
export function useNewCasePlan() {
  const { userId: id, displayName: name } = useViewer().detail;
  const [assignee, setAssignee] = useState<Assignee | null>({ id, name });
  const [plan, setPlan] = useState(newPlan);
  const { priority, queue, due } = plan;
  const dueAt = dueAtOf(due);
  const assigneeId = assignee?.id ?? null;
  /** Null while it cannot be sent. */
  const input = dueAt === undefined ? null : { assigneeId, priority, queue, dueAt };
  return { assignee, setAssignee, plan, setPlan, input };
}

/** What most cases need only later, hidden at first. */
export function NewCasePlan({
  personId,
  planning,
}: {
  readonly personId: string | null;
  readonly planning: ReturnType<typeof useNewCasePlan>;
}): ReactNode {
  const t = useT();
  return (
    <ExpandableSection headerText={t('cases.plan')} variant="footer">
      <SpaceBetween size="m">
        <FormField label={t('cases.assignee')} controlId="case-assignee" stretch>
          <AssigneePicker
            personId={personId}
            value={planning.assignee}
            controlId="case-assignee"
            onChange={planning.setAssignee}
          />
        </FormField>
        <CasePlanFields value={planning.plan} onChange={planning.setPlan} />
      </SpaceBetween>
    </ExpandableSection>
  );
}
