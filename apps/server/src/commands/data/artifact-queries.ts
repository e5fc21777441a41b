import { and, asc, eq, gt, lt, not, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { insertColumns } from '../../platform/database/insert-columns.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { namedRows } from '../../platform/database/named-rows.ts';
import { invocation, invocationArtifact } from './commands-tables.ts';
import { isInvocationHeld } from './is-invocation-held.ts';

type Artifact = Readonly<typeof invocationArtifact.$inferSelect>;
export type ArtifactRow = Pick<Artifact, 'id' | 'name' | 'bytes' | 'sha256'>;
export type StoredArtifactRow = ArtifactRow & Pick<Artifact, 'invocationId' | 'storageKey'>;

/** `differs`: the stored file is not the one that the device reported, so it cannot be downloaded. */
export type ArtifactDigest = 'reported' | 'unreported' | 'differs';

const { id, invocationId, name, bytes, sha256, storageKey, reportedSha256 } = invocationArtifact;

const digest = sql<ArtifactDigest>`case when ${reportedSha256} is null then 'unreported'
  when ${reportedSha256} = ${sha256} then 'reported' else 'differs' end`;

export async function findArtifacts(on: Executor, ofInvocation: string) {
  return on
    .select({ id, name, bytes, sha256, digest })
    .from(invocationArtifact)
    .where(eq(invocationId, ofInvocation))
    .orderBy(asc(name));
}

export async function findArtifact(on: Executor, artifactId: string) {
  const [found] = await on
    .select({ id, invocationId, name, bytes, sha256, storageKey, digest })
    .from(invocationArtifact)
    .where(eq(id, artifactId));
  return found;
}

const build = new QueryBuilder();
const files = sql<number>`count(*)::int`;
const sum = sql<number>`coalesce(sum(${bytes}), 0)::float8`;

const ofInvocation = build
  .select({ files: files.as('own_files'), bytes: sum.as('own_bytes') })
  .from(invocationArtifact)
  .where(eq(invocationId, invocation.id))
  .as('of_invocation');

const ofDay = build
  .select({ files: files.as('day_files'), bytes: sum.as('day_bytes') })
  .from(invocationArtifact)
  .where(
    and(
      eq(invocationArtifact.deviceId, invocation.deviceId),
      gt(invocationArtifact.createdAt, sql`${portalNow} - interval '24 hours'`),
    ),
  )
  .as('of_day');

/** Files uploaded so far for an invocation; `day…`: by its device in the last 24 hours. */
export type UploadTarget = NonNullable<Awaited<ReturnType<typeof findUploadTarget>>>;

/** The state of an invocation that determines whether it accepts files; undefined if it does not exist. */
export async function findUploadTarget(on: Executor, wanted: string) {
  const [found] = await on
    .select({
      state: invocation.state,
      deviceId: invocation.deviceId,
      lifecycle: deviceRecords.lifecycle,
      files: ofInvocation.files,
      bytes: ofInvocation.bytes,
      dayFiles: ofDay.files,
      dayBytes: ofDay.bytes,
    })
    .from(invocation)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .crossJoinLateral(ofInvocation)
    .crossJoinLateral(ofDay)
    .where(eq(invocation.id, wanted));
  return found;
}

/** A separate statement, because a statement that waits for a lock counts with its earlier snapshot. */
export async function lockUploads(
  tx: Transaction,
  target: { readonly invocationId: string; readonly deviceId: string },
): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${target.deviceId}`}, 0))`,
  );
  await tx
    .select({ id: invocation.id })
    .from(invocation)
    .where(eq(invocation.id, target.invocationId))
    .for('update');
}

export async function findArtifactByName(
  on: Executor,
  wanted: Pick<StoredArtifactRow, 'invocationId' | 'name'>,
): Promise<ArtifactRow | undefined> {
  const [found] = await on
    .select({ id, name, bytes, sha256 })
    .from(invocationArtifact)
    .where(and(eq(invocationId, wanted.invocationId), eq(name, wanted.name)));
  return found;
}

export async function insertArtifact(
  tx: Transaction,
  row: StoredArtifactRow & Pick<UploadTarget, 'deviceId'>,
): Promise<void> {
  await tx.insert(invocationArtifact).values({
    ...{ id: row.id, invocationId: row.invocationId, deviceId: row.deviceId },
    ...{ name: row.name, bytes: row.bytes, sha256: row.sha256, storageKey: row.storageKey },
  });
}

export type ReportedArtifact = Pick<Artifact, 'invocationId' | 'name' | 'sha256'>;

const reportedColumns = insertColumns(invocationArtifact, ['invocationId', 'name', 'sha256']);

/**
 * Stores the digests that devices report for their files; the first report of a file counts. Returns the uploaded files
 * with their own digest.
 */
export async function noteReportedArtifacts(
  tx: Transaction,
  reported: readonly ReportedArtifact[],
): Promise<ReportedArtifact[]> {
  if (reported.length === 0) return [];
  const { source, columns } = namedRows('reported', reportedColumns.types, reported);
  return tx
    .update(invocationArtifact)
    .set({ reportedSha256: sql`coalesce(${reportedSha256}, ${columns.sha256})` })
    .from(source)
    .where(and(eq(invocationId, columns.invocationId), eq(name, columns.name)))
    .returning({ invocationId, name, sha256 });
}

/** Files whose invocation ended before a moment. */
export async function findEndedArtifacts(on: Executor, endedBefore: Date, limit: number) {
  return on
    .select({ id, storageKey })
    .from(invocationArtifact)
    .innerJoin(invocation, eq(invocation.id, invocationId))
    .where(and(lt(invocation.endedAt, endedBefore), not(isInvocationHeld)))
    .limit(limit);
}

export async function deleteArtifacts(on: Executor, ids: readonly string[]): Promise<void> {
  await on.delete(invocationArtifact).where(isAnyOf(id, ids));
}

/** Those of the keys that belong to a row. */
export async function findStorageKeys(
  on: Executor,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await on
    .select({ storageKey })
    .from(invocationArtifact)
    .where(isAnyOf(storageKey, names));
  return new Set(rows.map((row) => row.storageKey));
}
