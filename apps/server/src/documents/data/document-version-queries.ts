import { and, desc, eq, like, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { SsmDocument } from '@deviceportal/contract/ssm-document';
import type { DocumentState } from '@deviceportal/contract/states';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { documentVersion } from './documents-tables.ts';

type VersionColumns = Readonly<typeof documentVersion.$inferSelect>;

/** A version in lists, without its text. */
export type ListedVersion = Pick<VersionColumns, keyof typeof listed>;
export type StoredVersion = Pick<VersionColumns, keyof typeof columns>;
export type NewVersion = Omit<StoredVersion, keyof typeof reviewed> & { readonly name: string };

export interface VersionReference {
  readonly name: string;
  readonly version: number;
}

const reviewed = {
  submittedBy: documentVersion.submittedBy,
  submittedAt: documentVersion.submittedAt,
  reviewedBy: documentVersion.reviewedBy,
  reviewedAt: documentVersion.reviewedAt,
  reviewDecision: documentVersion.reviewDecision,
  reviewComment: documentVersion.reviewComment,
};

const listed = {
  version: documentVersion.version,
  state: documentVersion.state,
  sha256: documentVersion.sha256,
  consequence: documentVersion.consequence,
  secretParameters: documentVersion.secretParameters,
  note: documentVersion.note,
  createdBy: documentVersion.createdBy,
  /** Null for versions of a release. */
  createdById: documentVersion.createdById,
  createdAt: documentVersion.createdAt,
  ...reviewed,
};

const columns = {
  ...listed,
  format: documentVersion.format,
  content: documentVersion.content,
  parsed: documentVersion.parsed,
  phasesText: documentVersion.phasesText,
  phases: documentVersion.phases,
};

const MAX_LISTED = 500;

export const isVersion = ({ name, version }: VersionReference): SQL | undefined =>
  and(eq(documentVersion.documentName, name), eq(documentVersion.version, version));

export async function findVersion(
  on: Executor,
  name: string,
  version: number,
): Promise<StoredVersion | undefined> {
  const [found] = await on
    .select(columns)
    .from(documentVersion)
    .where(isVersion({ name, version }));
  return found;
}

export async function listVersions(on: Executor, name: string): Promise<ListedVersion[]> {
  return on
    .select(listed)
    .from(documentVersion)
    .where(eq(documentVersion.documentName, name))
    .orderBy(desc(documentVersion.version))
    .limit(MAX_LISTED);
}

export async function insertVersion(
  tx: Transaction,
  { name, ...added }: NewVersion,
): Promise<void> {
  await tx.insert(documentVersion).values({ ...added, documentName: name });
}

/** Versions of a document, for the limit of versions. */
export const versionsOf = (name: string): SQL =>
  new QueryBuilder()
    .select({ version: documentVersion.version })
    .from(documentVersion)
    .where(eq(documentVersion.documentName, name))
    .getSQL();

export async function findVersionInReview(on: Executor, name: string): Promise<number | null> {
  const [found] = await on
    .select({ version: documentVersion.version })
    .from(documentVersion)
    .where(and(eq(documentVersion.documentName, name), eq(documentVersion.state, 'review')));
  return found?.version ?? null;
}

/** Prevents the version from being deprecated until the transaction ends. Undefined if it does not exist. */
export async function lockVersionState(
  tx: Transaction,
  reference: VersionReference,
): Promise<DocumentState | undefined> {
  const [found] = await tx
    .select({ state: documentVersion.state })
    .from(documentVersion)
    .where(isVersion(reference))
    .for('share');
  return found?.state;
}

/** Whether a version of a document has these texts. */
export async function hasVersionText(on: Executor, name: string, sha256: string): Promise<boolean> {
  const rows = await on
    .select({ version: documentVersion.version })
    .from(documentVersion)
    .where(and(eq(documentVersion.documentName, name), eq(documentVersion.sha256, sha256)));
  return rows.length > 0;
}

/** `jsonb` sorts keys by length, so `mainSteps` comes first, followed by a space. The portal writes no such text. */
const SORTED_BY_JSONB = '{"mainSteps": %';

/** Versions that an earlier release stored as `jsonb`, which sorts the parameters. */
export async function findVersionsSortedByJsonb(on: Executor) {
  return on
    .select({
      name: documentVersion.documentName,
      version: documentVersion.version,
      content: documentVersion.content,
    })
    .from(documentVersion)
    .where(like(sql`${documentVersion.parsed}::text`, SORTED_BY_JSONB));
}

export async function updateParsed(
  tx: Transaction,
  reference: VersionReference,
  parsed: SsmDocument,
): Promise<void> {
  await tx.update(documentVersion).set({ parsed }).where(isVersion(reference));
}
