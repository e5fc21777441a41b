import type { DocumentDetail } from '@deviceportal/contract/documents';
import type { Viewer } from '../platform/viewer.ts';
import { changeVersion, requireState, type DocumentsDeps } from './change-version.ts';
import { closeReviewNotifications } from './notify-reviewers.ts';
import type { OneVersion } from './send-for-review.ts';
import { setVersionState } from './data/version-state-queries.ts';

/**
 * Withdraws a version from review; it becomes a draft.
 * @throws PortalError 2003; 2004 if it is not in review
 */
export function withdrawFromReview(
  deps: DocumentsDeps,
  viewer: Viewer,
  input: OneVersion,
): Promise<DocumentDetail> {
  return changeVersion(deps, viewer, {
    ...input,
    change: async (held) => {
      if (held.version.state === 'draft') return null;
      requireState(held, ['review']);
      await setVersionState(held.tx, input, 'draft');
      await closeReviewNotifications(held);
      return { type: 'document.review-withdrawn' };
    },
  });
}
