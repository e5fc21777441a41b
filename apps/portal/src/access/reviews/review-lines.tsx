import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type {
  AccessReviewRow,
  LineShow,
  ReviewDecision,
  ReviewLineRow,
} from '@deviceportal/contract/access-reviews';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { refreshMs } from '../../live/refresh-policy.ts';
import { useFlash } from '../../ui/flash-store.ts';
import { DataTable, useTablePageSize } from '../../ui/table/data-table.tsx';
import { useKeysetPages } from '../../ui/table/use-keyset-pages.ts';
import { DecideDialog } from './decide-dialog.tsx';
import { lineColumns } from './line-columns.tsx';
import { LinesFilter } from './lines-filter.tsx';
import { ReviewHeader } from './review-header.tsx';

const route = getRouteApi('/uam/access-reviews/$id');
const TABLE = 'accessReviewLines';

/** The lines of a review, with the decision on the selected ones. */
export function ReviewLines({
  review,
  started,
}: {
  readonly review: AccessReviewRow;
  readonly started: string;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const flash = useFlash();
  const api = useApi();
  const queryClient = useQueryClient();
  const { show, q } = route.useSearch();
  const navigate = route.useNavigate();
  const { query, pages } = useLines(review.id);
  const [selected, setSelected] = useState<readonly ReviewLineRow[]>([]);
  const [deciding, setDeciding] = useState<ReviewDecision>();
  const columns = useMemo(() => lineColumns(t, format), [t, format]);
  const change = (part: { show?: LineShow; q?: string }): void => {
    setSelected([]);
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  };
  const done = (decided: number): void => {
    setDeciding(undefined);
    setSelected([]);
    void queryClient.invalidateQueries(api.accessReviews.pathFilter());
    flash.add({ type: 'success', content: t('access.review.decided', { count: decided }) });
  };
  const isOpen = review.state === 'open';
  return (
    <>
      <DataTable
        id={TABLE}
        label={t('access.review.lines')}
        columns={columns}
        rows={query.data?.rows}
        rowKey={({ id }) => id}
        rowLabel={({ username, apiTokenName, roleName }) =>
          [username, apiTokenName, roleName].filter((each) => each !== null).join(', ')
        }
        query={query}
        wrapLines
        {...(isOpen && {
          selection: 'multi' as const,
          selected,
          onSelect: setSelected,
          isDisabled: ({ decision, obstacle }: ReviewLineRow) =>
            decision !== null || obstacle === 'own',
        })}
        empty={{
          title: show === 'undecided' ? t('access.review.allDecided') : t('access.review.noLines'),
        }}
        onClearFilter={q === '' ? undefined : () => change({ q: '' })}
        paging={{ pages, nextCursor: query.data?.nextCursor, disabled: query.isPlaceholderData }}
        header={
          <ReviewHeader
            review={review}
            started={started}
            count={query.data?.count}
            selected={selected}
            onDecide={setDeciding}
          />
        }
        filter={<LinesFilter show={show} text={q} onChange={change} />}
      />
      {deciding === undefined ? null : (
        <DecideDialog
          reviewId={review.id}
          lines={selected}
          decision={deciding}
          onDone={done}
          onClose={() => setDeciding(undefined)}
        />
      )}
    </>
  );
}

function useLines(reviewId: string) {
  const api = useApi();
  const { show, q } = route.useSearch();
  const pageSize = useTablePageSize(TABLE);
  const pages = useKeysetPages(JSON.stringify([show, q, pageSize]));
  const query = useQuery(
    api.accessReviews.lines.queryOptions(
      { reviewId, show, text: q, pageSize, cursor: pages.cursor },
      { placeholderData: keepPreviousData, refetchInterval: refreshMs.list },
    ),
  );
  return { query, pages };
}
