import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { refreshMs } from '../../live/refresh-policy.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { useBreadcrumbs, useRefresh } from '../../ui/page-slots.tsx';
import { PendingPage } from '../../ui/pending-page.tsx';
import { AccessGate } from '../access-gate.tsx';
import { ReviewLines } from './review-lines.tsx';

export const Route = createLazyRoute('/uam/access-reviews/$id')({ component: ReviewPage });

const route = getRouteApi('/uam/access-reviews/$id');

function ReviewPage(): ReactNode {
  const { id } = route.useParams();
  return (
    <AccessGate>
      <Review key={id} id={id} />
    </AccessGate>
  );
}

/** One review with its lines. */
function Review({ id }: { readonly id: string }): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const {
    data: review,
    error,
    refetch,
  } = useQuery(api.accessReviews.get.queryOptions({ id }, { refetchInterval: refreshMs.list }));
  const started = review === undefined ? id : format.absolute(Date.parse(review.startedAt));
  useBreadcrumbs([
    { text: t('app.nav.accessReviews'), href: '/uam/access-reviews' },
    { text: started, href: `/uam/access-reviews/${id}` },
  ]);
  useRefresh(useCallback(() => void refetch(), [refetch]));
  if (review !== undefined) return <ReviewLines review={review} started={started} />;
  return error === null ? (
    <PendingPage />
  ) : (
    <ErrorView
      error={error}
      subject={{ kind: t('access.review.kindName'), id }}
      onRetry={() => void refetch()}
    />
  );
}
