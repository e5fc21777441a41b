import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import type { ArtefactStore } from './artefact-store.ts';

const ARTEFACTS_AT_ONCE = 200;

/**
 * Deletes collected files whose invocation ended before a moment, content first: a row without its content answers
 * "not found", content without its row would stay for ever. Answers how many went.
 */
export async function deleteEndedArtefacts(
  deps: { readonly database: Pick<Database, 'orm'>; readonly store: Pick<ArtefactStore, 'remove'> },
  endedBefore: Date,
): Promise<number> {
  let total = 0;
  for (;;) {
    const { rows } = await deps.database.orm.execute<{ id: string; storage_key: string }>(sql`
      select a.id, a.storage_key from invocation_artefact a join invocation i on i.id = a.invocation_id
      where i.ended_at < ${endedBefore.toISOString()}::timestamptz limit ${ARTEFACTS_AT_ONCE}`);
    if (rows.length === 0) return total;
    for (const { storage_key: key } of rows) await deps.store.remove(key);
    const ids = sql.param(rows.map(({ id }) => id));
    await deps.database.orm.execute(
      sql`delete from invocation_artefact where id = any(${ids}::uuid[])`,
    );
    total += rows.length;
  }
}
