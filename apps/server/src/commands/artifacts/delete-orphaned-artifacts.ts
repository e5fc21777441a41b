import type { Database } from '../../platform/database/database.ts';
import { deleteOrphans } from '../../platform/files/delete-orphans.ts';
import { findStorageKeys } from '../data/artifact-queries.ts';

/** Deletes the content of collected files without a row. */
export const deleteOrphanedArtifacts = (
  { database }: { readonly database: Pick<Database, 'orm'> },
  directory: string,
  before: Date,
): Promise<number> =>
  deleteOrphans(directory, before, (names) => findStorageKeys(database.orm, [...names]));
