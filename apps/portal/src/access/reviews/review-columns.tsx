import type { ReactNode } from 'react';
import type { AccessReviewRow } from '@deviceportal/contract/access-reviews';
import type { Translate } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { ReviewState } from './review-state.tsx';

export const reviewColumns = (t: Translate): TableColumn<AccessReviewRow>[] => [
  {
    id: 'started',
    header: t('access.review.started'),
    cell: ({ id, startedAt }): ReactNode => (
      <PortalLink href={`/uam/access-reviews/${id}`}>
        <Time at={startedAt} style="exact" />
      </PortalLink>
    ),
    rowHeader: true,
    always: true,
    minWidth: 250,
  },
  {
    id: 'state',
    header: t('access.review.state'),
    cell: (review) => <ReviewState review={review} />,
    minWidth: 120,
  },
  {
    id: 'undecided',
    header: t('access.review.undecided'),
    cell: ({ undecided, lines }) => t('access.review.ofLines', { undecided, lines }),
    numeric: true,
    minWidth: 110,
  },
  {
    id: 'removed',
    header: t('access.review.removedRoles'),
    cell: ({ removed }) => removed,
    numeric: true,
    minWidth: 100,
  },
  {
    id: 'due',
    header: t('access.review.due'),
    cell: ({ dueAt }) => <Time at={dueAt} />,
    minWidth: 110,
  },
  {
    id: 'overdue',
    header: t('access.review.overdue'),
    cell: ({ overdue }) => t(`access.review.overdue.${overdue}`),
    minWidth: 145,
  },
  {
    id: 'startedBy',
    header: t('access.review.startedBy'),
    cell: ({ startedBy, isScheduled }) =>
      isScheduled ? t('access.review.bySchedule') : (startedBy ?? '-'),
    minWidth: 200,
  },
];
