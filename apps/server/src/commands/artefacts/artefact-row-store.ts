import { sql } from 'drizzle-orm';
import type { DeviceLifecycle, InvocationState } from '@deviceportal/contract/states';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';

export interface ArtefactRow {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** `differs`: what is stored is not what the device reported, and is not handed out. */
export type ArtefactDigest = 'reported' | 'unreported' | 'differs';

export interface StoredArtefactRow extends ArtefactRow {
  readonly invocationId: string;
  readonly storageKey: string;
}

export async function findArtefacts(
  executor: Executor,
  invocationId: string,
): Promise<(ArtefactRow & { readonly digest: ArtefactDigest })[]> {
  const { rows } = await executor.execute(sql`
    select id, name, bytes::float8 as bytes, sha256, ${digestState} as digest from invocation_artefact
    where invocation_id = ${invocationId} order by name`);
  return rows as never;
}

export async function findArtefact(
  executor: Executor,
  id: string,
): Promise<(StoredArtefactRow & { readonly digest: ArtefactDigest }) | undefined> {
  const { rows } = await executor.execute(sql`
    select id, invocation_id as "invocationId", name, bytes::float8 as bytes, sha256, storage_key as "storageKey",
           ${digestState} as digest
    from invocation_artefact where id = ${id}`);
  return rows[0] as never;
}

const digestState = sql`case when reported_sha256 is null then 'unreported'
  when reported_sha256 = sha256 then 'reported' else 'differs' end`;

/** An invocation as far as it decides whether files may still come; undefined where there is none. */
export async function findUploadTarget(
  executor: Executor,
  invocationId: string,
): Promise<UploadTarget | undefined> {
  const { rows } = await executor.execute(sql`
    select i.state, i.device_id as "deviceId", d.lifecycle,
           own.files, own.bytes, day.files as "dayFiles", day.bytes as "dayBytes"
    from invocation i join device d on d.id = i.device_id,
      lateral (select count(*)::int as files, coalesce(sum(a.bytes), 0)::float8 as bytes
        from invocation_artefact a where a.invocation_id = i.id) own,
      lateral (select count(*)::int as files, coalesce(sum(a.bytes), 0)::float8 as bytes
        from invocation_artefact a where a.device_id = i.device_id and a.created_at > portal_now() - interval '24 hours') day
    where i.id = ${invocationId}`);
  return rows[0] as unknown as UploadTarget | undefined;
}

/** A statement of its own: one that waits for a lock still counts what was there before it waited. */
export async function lockUploads(
  tx: Transaction,
  { invocationId, deviceId }: { readonly invocationId: string; readonly deviceId: string },
): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${deviceId}`}, 0))`,
  );
  await tx.execute(sql`select from invocation where id = ${invocationId} for update`);
}

export interface UploadTarget {
  readonly state: InvocationState;
  readonly deviceId: string;
  readonly lifecycle: DeviceLifecycle;
  /** Of the invocation. */
  readonly files: number;
  readonly bytes: number;
  /** Of the device, in the last 24 hours. */
  readonly dayFiles: number;
  readonly dayBytes: number;
}

export async function findArtefactByName(
  executor: Executor,
  { invocationId, name }: Pick<StoredArtefactRow, 'invocationId' | 'name'>,
): Promise<ArtefactRow | undefined> {
  const { rows } = await executor.execute(sql`
    select id, name, bytes::float8 as bytes, sha256 from invocation_artefact
    where invocation_id = ${invocationId} and name = ${name}`);
  return rows[0] as unknown as ArtefactRow | undefined;
}

export async function insertArtefact(
  tx: Transaction,
  row: StoredArtefactRow & Pick<UploadTarget, 'deviceId'>,
): Promise<void> {
  await tx.execute(sql`
    insert into invocation_artefact (id, invocation_id, device_id, name, bytes, sha256, storage_key)
    values (${row.id}, ${row.invocationId}, ${row.deviceId}, ${row.name}, ${row.bytes}, ${row.sha256},
      ${row.storageKey})`);
}

export interface ReportedArtefact {
  readonly invocationId: string;
  readonly name: string;
  readonly sha256: string;
}

/**
 * Notes what devices report of their files: the first report of a file counts. Answers the files that are here, with
 * their own digest.
 */
export async function noteReportedArtefacts(
  tx: Transaction,
  reported: readonly ReportedArtefact[],
): Promise<ReportedArtefact[]> {
  if (reported.length === 0) return [];
  const rows = reported.map(({ invocationId, ...rest }) => ({
    invocation_id: invocationId,
    ...rest,
  }));
  const found = await tx.execute(sql`
    update invocation_artefact kept
    set reported_sha256 = coalesce(kept.reported_sha256, reported.sha256)
    from ${rowsOf(reportedTypes, rows)} as reported
    where kept.invocation_id = reported.invocation_id and kept.name = reported.name
    returning kept.invocation_id as "invocationId", kept.name, kept.sha256`);
  return found.rows as unknown as ReportedArtefact[];
}

const reportedTypes = { invocation_id: 'uuid', name: 'text', sha256: 'text' } as const;
