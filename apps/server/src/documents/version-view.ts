import type { DocumentVersionRow } from '@deviceportal/contract/documents';
import { maskUser } from '../people/mask-person.ts';
import { isoOf, isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ListedVersion } from './data/document-version-queries.ts';

/** A version with names masked for viewers without `people:read`. */
export function viewVersion(
  stored: ListedVersion,
  viewer: Viewer,
  defaultVersion: number | null,
): DocumentVersionRow {
  return {
    version: stored.version,
    state: stored.state,
    sha256: stored.sha256,
    note: stored.note,
    createdBy: maskUser(stored.createdBy, viewer),
    createdAt: isoOf(stored.createdAt),
    own: stored.createdById === viewer.userId,
    isDefault: stored.version === defaultVersion,
    consequence: stored.consequence,
    secretParameters: stored.secretParameters,
    submittedBy: stored.submittedBy === null ? null : maskUser(stored.submittedBy, viewer),
    submittedAt: isoOrNull(stored.submittedAt),
    review: reviewOf(stored, viewer),
  };
}

function reviewOf(stored: ListedVersion, viewer: Viewer): DocumentVersionRow['review'] {
  const { reviewDecision, reviewedBy, reviewedAt } = stored;
  if (reviewDecision === null || reviewedBy === null || reviewedAt === null) return null;
  return {
    decision: reviewDecision,
    by: maskUser(reviewedBy, viewer),
    at: isoOf(reviewedAt),
    comment: stored.reviewComment,
  };
}
