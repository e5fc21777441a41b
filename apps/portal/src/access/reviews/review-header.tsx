import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type {
  AccessReviewRow,
  ReviewDecision,
  ReviewLineRow,
} from '@deviceportal/contract/access-reviews';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { useFlash } from '../../ui/flash-store.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { saveCsv } from '../../ui/table/save-csv.ts';
import { useManageDisabledReason } from '../use-manage-disabled-reason.ts';
import { ReviewState } from './review-state.tsx';

export interface ReviewHeaderProps {
  readonly review: AccessReviewRow;
  readonly started: string;
  readonly count: number | undefined;
  readonly selected: readonly ReviewLineRow[];
  readonly onDecide: (decision: ReviewDecision) => void;
}

export function ReviewHeader(props: ReviewHeaderProps): ReactNode {
  const { review, started, count, selected, onDecide } = props;
  const t = useT();
  const format = useFormat();
  const reason = useManageDisabledReason();
  const nothing = selected.length === 0 ? t('access.review.selectFirst') : undefined;
  const byGroup = selected.some(({ obstacle }) => obstacle === 'group')
    ? t('access.review.obstacle.group')
    : undefined;
  const reasons = { keep: reason ?? nothing, remove: reason ?? nothing ?? byGroup };
  return (
    <PageHeader
      variant="awsui-h1-sticky"
      title={t('access.review.title', { date: started })}
      counter={count === undefined ? undefined : `(${format.number(count)})`}
      description={
        <SpaceBetween direction="horizontal" size="s">
          <ReviewState review={review} />
          <span>
            {t('access.review.summary', {
              undecided: review.undecided,
              lines: review.lines,
              date: format.absolute(Date.parse(review.dueAt)),
            })}
          </span>
        </SpaceBetween>
      }
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <ExportButton id={review.id} />
          {review.state === 'open'
            ? (['remove', 'keep'] as const).map((decision) => (
                <Button
                  key={decision}
                  variant={decision === 'keep' ? 'primary' : 'normal'}
                  disabled={reasons[decision] !== undefined}
                  {...(reasons[decision] !== undefined && { disabledReason: reasons[decision] })}
                  onClick={() => onDecide(decision)}
                >
                  {t(`access.review.${decision}`, { count: selected.length })}
                </Button>
              ))
            : null}
        </SpaceBetween>
      }
    />
  );
}

/** Downloads all lines with their decisions as CSV. */
function ExportButton({ id }: { readonly id: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const save = useMutation(
    api.accessReviews.export.mutationOptions({
      onSuccess: ({ text, fileName }) => saveCsv(fileName, text),
      onError: () => flash.add({ type: 'error', content: t('access.review.exportFailed') }),
    }),
  );
  return (
    <Button iconName="download" loading={save.isPending} onClick={() => save.mutate({ id })}>
      {t('access.review.export')}
    </Button>
  );
}
