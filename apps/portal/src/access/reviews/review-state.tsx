import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { AccessReviewRow } from '@deviceportal/contract/access-reviews';
import { useT } from '../../i18n/use-t.ts';
import { useServerNow } from '../../ui/time/server-clock.ts';

/** Open, overdue, or closed. */
export function ReviewState({ review }: { readonly review: AccessReviewRow }): ReactNode {
  const t = useT();
  const isOverdue = Date.parse(review.dueAt) < useServerNow();
  if (review.state === 'closed') {
    return <StatusIndicator type="success">{t('access.review.closed')}</StatusIndicator>;
  }
  return isOverdue ? (
    <StatusIndicator type="warning">{t('access.review.isOverdue')}</StatusIndicator>
  ) : (
    <StatusIndicator type="in-progress">{t('access.review.open')}</StatusIndicator>
  );
}
