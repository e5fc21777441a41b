import type { Database } from '../../platform/database/database.ts';
import { deleteOrphans } from '../../platform/files/delete-orphans.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { findStorageKeys } from '../data/artifact-queries.ts';

/** Deletes the content of collected files without a row. */
export const deleteOrphanedArtifacts = (
  { database }: { readonly database: Pick<Database, 'orm'> },
  files: FileStore,
  before: Date,
): Promise<number> =>
  deleteOrphans(files, before, (names) => findStorageKeys(database.orm, [...names]));
