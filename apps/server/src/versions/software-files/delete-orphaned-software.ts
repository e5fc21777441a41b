import type { Database } from '../../platform/database/database.ts';
import { findKnownKeys } from '../data/software-queries.ts';
import { deleteOrphans } from '../../platform/files/delete-orphans.ts';

/** Deletes files that belong to no version, most of them from unfinished uploads. */
export function deleteOrphanedSoftware(
  { database }: { readonly database: Pick<Database, 'orm'> },
  directory: string,
  before: Date,
): Promise<number> {
  return deleteOrphans(directory, before, (names) => findKnownKeys(database.orm, names));
}
