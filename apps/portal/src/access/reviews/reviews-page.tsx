import Button from '@cloudscape-design/components/button';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { refreshMs } from '../../live/refresh-policy.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useRefresh } from '../../ui/page-slots.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { AccessGate } from '../access-gate.tsx';
import { useManageDisabledReason } from '../use-manage-disabled-reason.ts';
import { reviewColumns } from './review-columns.tsx';
import { StartReviewDialog } from './start-review-dialog.tsx';

export const Route = createLazyRoute('/uam/access-reviews')({
  component: () => (
    <AccessGate>
      <ReviewsPage />
    </AccessGate>
  ),
});

const route = getRouteApi('/uam/access-reviews');

/** Reviews of access, newest first: the open one, and the history. */
function ReviewsPage(): ReactNode {
  const t = useT();
  const api = useApi();
  const reason = useManageDisabledReason();
  const { start } = route.useSearch();
  const navigate = route.useNavigate();
  const setStart = (isOpen: boolean): void =>
    void navigate({ search: { start: isOpen }, replace: true });
  const query = useQuery(
    api.accessReviews.list.queryOptions(undefined, { refetchInterval: refreshMs.list }),
  );
  const { refetch } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const columns = useMemo(() => reviewColumns(t), [t]);
  const isOpen = query.data?.some(({ state }) => state === 'open') === true;
  const disabledReason = reason ?? (isOpen ? t('access.review.oneAtATime') : undefined);
  return (
    <>
      <DataTable
        id="accessReviews"
        label={t('app.nav.accessReviews')}
        withoutSettings
        wrapLines
        columns={columns}
        rows={query.data}
        rowKey={({ id }) => id}
        query={query}
        empty={{ title: t('access.review.none'), body: t('access.review.noneBody') }}
        header={
          <PageHeader
            variant="awsui-h1-sticky"
            title={t('app.nav.accessReviews')}
            description={t('access.review.description')}
            actions={
              <Button
                variant="primary"
                onClick={() => setStart(true)}
                disabled={disabledReason !== undefined}
                {...(disabledReason !== undefined && { disabledReason })}
              >
                {t('access.review.start')}
              </Button>
            }
          />
        }
      />
      {start ? <StartReviewDialog onClose={() => setStart(false)} /> : null}
    </>
  );
}
