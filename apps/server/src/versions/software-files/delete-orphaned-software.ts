import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import { deleteOrphans } from '../../platform/files/delete-orphans.ts';

/** Deletes files that belong to no version: of uploads that were never finished, above all. */
export function deleteOrphanedSoftware(
  { database }: { readonly database: Pick<Database, 'orm'> },
  directory: string,
  before: Date,
): Promise<number> {
  return deleteOrphans(directory, before, async (names) => {
    const found = await database.orm.execute<{ key: string }>(sql`
      select artefact_key as key from software_version where artefact_key = any(${sql.param([...names])}::text[])`);
    return new Set(found.rows.map(({ key }) => key));
  });
}
