import { sql } from 'drizzle-orm';
import type { DocumentState } from '@deviceportal/contract/states';
import type { Transaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';

export interface VersionReference {
  readonly name: string;
  readonly version: number;
}

/** A version that waits for a second person; what was decided about it before stays readable until then. */
export async function putInReview(
  tx: Transaction,
  { name, version }: VersionReference,
  by: { readonly viewer: Viewer; readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    update document_version
    set state = 'review', submitted_by = ${by.viewer.username}, submitted_at = ${by.at.toISOString()}
    where document_name = ${name} and version = ${version}`);
}

export async function setVersionState(
  tx: Transaction,
  { name, version }: VersionReference,
  state: DocumentState,
): Promise<void> {
  await tx.execute(sql`
    update document_version set state = ${state} where document_name = ${name} and version = ${version}`);
}

export interface Decision {
  readonly decision: 'approved' | 'rejected';
  readonly comment: string;
  readonly viewer: Viewer;
  readonly at: Date;
}

/** The database itself refuses an approval by the author: `document_version_second_person`. */
export async function decideVersion(
  tx: Transaction,
  { name, version }: VersionReference,
  { decision, comment, viewer, at }: Decision,
): Promise<void> {
  await tx.execute(sql`
    update document_version
    set state = ${decision === 'approved' ? 'active' : 'draft'}, review_decision = ${decision},
        review_comment = ${comment}, reviewed_by = ${viewer.username}, reviewed_by_id = ${viewer.userId},
        reviewed_at = ${at.toISOString()}
    where document_name = ${name} and version = ${version}`);
}

export async function deprecateAllVersions(tx: Transaction, name: string): Promise<void> {
  await tx.execute(
    sql`update document_version set state = 'deprecated' where document_name = ${name}`,
  );
}
