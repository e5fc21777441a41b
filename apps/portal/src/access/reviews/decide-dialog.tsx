import FormField from '@cloudscape-design/components/form-field';
import Textarea from '@cloudscape-design/components/textarea';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ReviewDecision, ReviewLineRow } from '@deviceportal/contract/access-reviews';
import { useApi } from '../../api/use-api.ts';
import { FormDialog } from '../../devices/form-dialog.tsx';
import { useT } from '../../i18n/use-t.ts';
import { fieldIssues } from '../../ui/field-issues.ts';

export interface DecideDialogProps {
  readonly reviewId: string;
  readonly lines: readonly ReviewLineRow[];
  readonly decision: ReviewDecision;
  readonly onDone: (decided: number) => void;
  readonly onClose: () => void;
}

/** Keeps or removes the selected roles. A removal takes effect at once and needs a reason. */
export function DecideDialog(props: DecideDialogProps): ReactNode {
  const { reviewId, lines, decision, onDone, onClose } = props;
  const t = useT();
  const api = useApi();
  const [reason, setReason] = useState('');
  const decide = useMutation(
    api.accessReviews.decide.mutationOptions({ onSuccess: ({ decided }) => onDone(decided) }),
  );
  const isRemoval = decision === 'remove';
  return (
    <FormDialog
      title={t(`access.review.${decision}Title`, { count: lines.length })}
      submitLabel={t(`access.review.${decision}`, { count: lines.length })}
      busy={decide.isPending}
      error={decide.error}
      fields={['reason']}
      disabled={isRemoval && reason.trim() === ''}
      onSubmit={() =>
        decide.mutate({ reviewId, lineIds: lines.map(({ id }) => id), decision, reason })
      }
      onCancel={onClose}
    >
      <FormField
        label={isRemoval ? t('access.review.reason') : t('access.review.reasonOptional')}
        description={t(`access.review.${decision}Hint`)}
        errorText={fieldIssues(decide.error, t).get('reason')}
      >
        <Textarea
          value={reason}
          rows={2}
          onChange={({ detail }) => setReason(detail.value.slice(0, 500))}
        />
      </FormField>
    </FormDialog>
  );
}
