import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { overdueActs, REVIEW_DAYS, type OverdueAct } from '@deviceportal/contract/access-reviews';
import { useApi } from '../../api/use-api.ts';
import { FormDialog } from '../../devices/form-dialog.tsx';
import { useT } from '../../i18n/use-t.ts';
import { fieldIssues } from '../../ui/field-issues.ts';
import { navigateTo } from '../../ui/navigate-to.ts';

/** Starts a review of everything that users hold now. */
export function StartReviewDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [days, setDays] = useState(String(REVIEW_DAYS.usual));
  const [overdue, setOverdue] = useState<OverdueAct>('keep');
  const start = useMutation(
    api.accessReviews.start.mutationOptions({
      onSuccess: ({ id }) => {
        void queryClient.invalidateQueries(api.accessReviews.pathFilter());
        navigateTo(`/uam/access-reviews/${id}`);
      },
    }),
  );
  const { least, most } = REVIEW_DAYS;
  return (
    <FormDialog
      title={t('access.review.startTitle')}
      submitLabel={t('access.review.start')}
      busy={start.isPending}
      error={start.error}
      fields={['days']}
      disabled={days === ''}
      onSubmit={() => start.mutate({ days: Number(days), overdue })}
      onCancel={onClose}
    >
      <FormField
        label={t('access.review.days')}
        constraintText={t('access.review.daysHint', { least, most })}
        errorText={fieldIssues(start.error, t).get('days')}
      >
        <Input
          type="number"
          inputMode="numeric"
          value={days}
          onChange={({ detail }) => setDays(detail.value)}
        />
      </FormField>
      <FormField label={t('access.review.overdue')}>
        <RadioGroup
          value={overdue}
          items={overdueActs.map((value) => ({
            value,
            label: t(`access.review.overdue.${value}`),
            description: t(`access.review.overdueHint.${value}`),
          }))}
          onChange={({ detail }) =>
            setOverdue(overdueActs.find((each) => each === detail.value) ?? 'keep')
          }
        />
      </FormField>
    </FormDialog>
  );
}
