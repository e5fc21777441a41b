import { and, asc, eq, gt, lt, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { insertColumns } from '../../platform/database/insert-columns.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { invocation, invocationArtefact } from './commands-tables.ts';

type Artefact = Readonly<typeof invocationArtefact.$inferSelect>;
export type ArtefactRow = Pick<Artefact, 'id' | 'name' | 'bytes' | 'sha256'>;
export type StoredArtefactRow = ArtefactRow & Pick<Artefact, 'invocationId' | 'storageKey'>;

/** `differs`: what is stored is not what the device reported, and is not handed out. */
export type ArtefactDigest = 'reported' | 'unreported' | 'differs';

const { id, invocationId, name, bytes, sha256, storageKey, reportedSha256 } = invocationArtefact;

const digest = sql<ArtefactDigest>`case when ${reportedSha256} is null then 'unreported'
  when ${reportedSha256} = ${sha256} then 'reported' else 'differs' end`;

export async function findArtefacts(on: Executor, ofInvocation: string) {
  return on
    .select({ id, name, bytes, sha256, digest })
    .from(invocationArtefact)
    .where(eq(invocationId, ofInvocation))
    .orderBy(asc(name));
}

export async function findArtefact(on: Executor, artefactId: string) {
  const [found] = await on
    .select({ id, invocationId, name, bytes, sha256, storageKey, digest })
    .from(invocationArtefact)
    .where(eq(id, artefactId));
  return found;
}

const build = new QueryBuilder();
const files = sql<number>`count(*)::int`;
const sum = sql<number>`coalesce(sum(${bytes}), 0)::float8`;

const ofInvocation = build
  .select({ files: files.as('own_files'), bytes: sum.as('own_bytes') })
  .from(invocationArtefact)
  .where(eq(invocationId, invocation.id))
  .as('of_invocation');

const ofDay = build
  .select({ files: files.as('day_files'), bytes: sum.as('day_bytes') })
  .from(invocationArtefact)
  .where(
    and(
      eq(invocationArtefact.deviceId, invocation.deviceId),
      gt(invocationArtefact.createdAt, sql`${portalNow} - interval '24 hours'`),
    ),
  )
  .as('of_day');

/** How far uploads of an invocation may still go; `day…`: of its device in the last 24 hours. */
export type UploadTarget = NonNullable<Awaited<ReturnType<typeof findUploadTarget>>>;

/** An invocation as far as it decides whether files may still come; undefined where there is none. */
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

/** A statement of its own: one that waits for a lock still counts what was there before it waited. */
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

export async function findArtefactByName(
  on: Executor,
  wanted: Pick<StoredArtefactRow, 'invocationId' | 'name'>,
): Promise<ArtefactRow | undefined> {
  const [found] = await on
    .select({ id, name, bytes, sha256 })
    .from(invocationArtefact)
    .where(and(eq(invocationId, wanted.invocationId), eq(name, wanted.name)));
  return found;
}

export async function insertArtefact(
  tx: Transaction,
  row: StoredArtefactRow & Pick<UploadTarget, 'deviceId'>,
): Promise<void> {
  await tx.insert(invocationArtefact).values({
    ...{ id: row.id, invocationId: row.invocationId, deviceId: row.deviceId },
    ...{ name: row.name, bytes: row.bytes, sha256: row.sha256, storageKey: row.storageKey },
  });
}

export type ReportedArtefact = Pick<Artefact, 'invocationId' | 'name' | 'sha256'>;

const reportedColumns = insertColumns(invocationArtefact, ['invocationId', 'name', 'sha256']);

/**
 * Notes what devices report of their files: the first report of a file counts. Answers the files that are here, with
 * their own digest.
 */
export async function noteReportedArtefacts(
  tx: Transaction,
  reported: readonly ReportedArtefact[],
): Promise<ReportedArtefact[]> {
  if (reported.length === 0) return [];
  return tx
    .update(invocationArtefact)
    .set({ reportedSha256: sql`coalesce(${reportedSha256}, reported.sha256)` })
    .from(sql`${rowsOf(reportedColumns.types, reported)} as reported`)
    .where(sql`${invocationId} = reported."invocationId" and ${name} = reported.name`)
    .returning({ invocationId, name, sha256 });
}

/** Files whose invocation ended before a moment. */
export async function findEndedArtefacts(on: Executor, endedBefore: Date, limit: number) {
  return on
    .select({ id, storageKey })
    .from(invocationArtefact)
    .innerJoin(invocation, eq(invocation.id, invocationId))
    .where(lt(invocation.endedAt, endedBefore))
    .limit(limit);
}

export async function deleteArtefacts(on: Executor, ids: readonly string[]): Promise<void> {
  await on.delete(invocationArtefact).where(isAnyOf(id, ids));
}

/** Which of these names belong to a file on record. */
export async function findStorageKeys(
  on: Executor,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await on
    .select({ storageKey })
    .from(invocationArtefact)
    .where(isAnyOf(storageKey, names));
  return new Set(rows.map((row) => row.storageKey));
}
