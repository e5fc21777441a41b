import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { findKnownKeys } from '../data/software-queries.ts';
import { deleteOrphans } from '../../platform/files/delete-orphans.ts';

/** Deletes files that belong to no version, most of them from unfinished uploads. */
export function deleteOrphanedSoftware(
  { database }: { readonly database: Pick<Database, 'orm'> },
  files: FileStore,
  before: Date,
): Promise<number> {
  return deleteOrphans(files, before, (names) => findKnownKeys(database.orm, names));
}
