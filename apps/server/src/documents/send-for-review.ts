import type { DocumentDetail } from '@deviceportal/contract/documents';
import { refuse } from '@deviceportal/contract/refuse';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import { changeVersion, requireState, type DocumentsDeps } from './change-version.ts';
import { findVersionInReview } from './data/document-version-queries.ts';
import { notifyReviewers } from './notify-reviewers.ts';
import { putInReview } from './data/version-state-queries.ts';
import type { VersionReference } from './data/document-version-queries.ts';

export interface OneVersion extends VersionReference {
  readonly origin: RequestOrigin;
}

/** @throws PortalError 2003; 2004 if it is not a draft or another version is in review */
export function sendForReview(
  deps: DocumentsDeps,
  viewer: Viewer,
  input: OneVersion,
): Promise<DocumentDetail> {
  return changeVersion(deps, viewer, {
    ...input,
    change: async (held) => {
      if (held.version.state === 'review') return null;
      requireState(held, ['draft']);
      const other = await findVersionInReview(held.tx, input.name);
      if (other !== null) {
        throw refuse('version-in-review', {
          field: 'version',
          facts: { document: input.name, versionInReview: other },
        });
      }
      await putInReview(held.tx, input, { viewer, at: held.at });
      await notifyReviewers(held, viewer);
      return { type: 'document.review-requested' };
    },
  });
}
