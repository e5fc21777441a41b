import { eq } from 'drizzle-orm';
import type { DocumentState } from '@deviceportal/contract/states';
import type { Transaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { isVersion, type VersionReference } from './document-version-queries.ts';
import { documentVersion } from './documents-tables.ts';

/** Submits a version for review. An earlier decision stays readable until the next one. */
export async function putInReview(
  tx: Transaction,
  reference: VersionReference,
  by: { readonly viewer: Viewer; readonly at: Date },
): Promise<void> {
  await tx
    .update(documentVersion)
    .set({ state: 'review', submittedBy: by.viewer.username, submittedAt: by.at })
    .where(isVersion(reference));
}

export async function setVersionState(
  tx: Transaction,
  reference: VersionReference,
  state: DocumentState,
): Promise<void> {
  await tx.update(documentVersion).set({ state }).where(isVersion(reference));
}

export interface Decision {
  readonly decision: 'approved' | 'rejected';
  readonly comment: string;
  readonly viewer: Viewer;
  readonly at: Date;
}

/** The database also rejects an approval by the author: `document_version_second_person`. */
export async function decideVersion(
  tx: Transaction,
  reference: VersionReference,
  { decision, comment, viewer, at }: Decision,
): Promise<void> {
  await tx
    .update(documentVersion)
    .set({
      state: decision === 'approved' ? 'active' : 'draft',
      reviewDecision: decision,
      reviewComment: comment,
      reviewedBy: viewer.username,
      reviewedById: viewer.userId,
      reviewedAt: at,
    })
    .where(isVersion(reference));
}

export async function deprecateAllVersions(tx: Transaction, name: string): Promise<void> {
  await tx
    .update(documentVersion)
    .set({ state: 'deprecated' })
    .where(eq(documentVersion.documentName, name));
}
