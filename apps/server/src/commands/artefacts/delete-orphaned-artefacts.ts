import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import { deleteOrphans } from '../../platform/files/delete-orphans.ts';

/** Deletes collected files that belong to no invocation. */
export function deleteOrphanedArtefacts(
  { database }: { readonly database: Pick<Database, 'orm'> },
  directory: string,
  before: Date,
): Promise<number> {
  return deleteOrphans(directory, before, async (names) => {
    const found = await database.orm.execute<{ key: string }>(sql`
      select storage_key as key from invocation_artefact where storage_key = any(${sql.param([...names])}::text[])`);
    return new Set(found.rows.map(({ key }) => key));
  });
}
