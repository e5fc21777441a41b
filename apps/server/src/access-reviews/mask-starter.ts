import type { AccessReviewRow } from '@deviceportal/contract/access-reviews';
import { holds } from '@deviceportal/contract/permissions';
import { maskName } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';

/** Masks who started a review for viewers without `people:read`. */
export function maskStarter(review: AccessReviewRow, { grants }: Viewer): AccessReviewRow {
  const { startedBy } = review;
  if (startedBy === null || holds(grants, 'people:read')) return review;
  return { ...review, startedBy: maskName(startedBy) };
}
