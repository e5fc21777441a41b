import { sql } from 'drizzle-orm';
import type { Executor } from '../platform/database/database.ts';

export interface ArtefactRow {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface StoredArtefactRow extends ArtefactRow {
  readonly invocationId: string;
  readonly storageKey: string;
}

export async function findArtefacts(
  executor: Executor,
  invocationId: string,
): Promise<ArtefactRow[]> {
  const { rows } = await executor.execute(sql`
    select id, name, bytes::float8 as bytes, sha256 from invocation_artefact
    where invocation_id = ${invocationId} order by name`);
  return rows as unknown as ArtefactRow[];
}

export async function findArtefact(
  executor: Executor,
  id: string,
): Promise<StoredArtefactRow | undefined> {
  const { rows } = await executor.execute(sql`
    select id, invocation_id as "invocationId", name, bytes::float8 as bytes, sha256, storage_key as "storageKey"
    from invocation_artefact where id = ${id}`);
  return rows[0] as unknown as StoredArtefactRow | undefined;
}

/** The device an open or ended invocation belongs to; undefined where there is none. */
export async function findInvocationDevice(
  executor: Executor,
  invocationId: string,
): Promise<
  { readonly deviceId: string; readonly runId: string; readonly artefacts: number } | undefined
> {
  const { rows } = await executor.execute(sql`
    select i.device_id as "deviceId", i.run_id as "runId",
           (select count(*)::int from invocation_artefact a where a.invocation_id = i.id) as artefacts
    from invocation i where i.id = ${invocationId}`);
  return rows[0] as { deviceId: string; runId: string; artefacts: number } | undefined;
}

/** Put again under the same name, the newer content counts. Answers the storage key that is free to go, if any. */
export async function upsertArtefact(
  executor: Executor,
  row: StoredArtefactRow,
): Promise<{ readonly id: string; readonly replaced: string | null }> {
  const { rows } = await executor.execute(sql`
    with before as (
      select storage_key from invocation_artefact where invocation_id = ${row.invocationId} and name = ${row.name}
    )
    insert into invocation_artefact (id, invocation_id, name, bytes, sha256, storage_key)
    values (${row.id}, ${row.invocationId}, ${row.name}, ${row.bytes}, ${row.sha256}, ${row.storageKey})
    on conflict (invocation_id, name) do update
      set bytes = excluded.bytes, sha256 = excluded.sha256, storage_key = excluded.storage_key
    returning id, (select storage_key from before) as replaced`);
  return rows[0] as { id: string; replaced: string | null };
}
