import type { Database } from '../../platform/database/database.ts';
import { findKnownKeys } from '../data/software-queries.ts';
import { deleteOrphans } from '../../platform/files/delete-orphans.ts';

/** Deletes files that belong to no version: of uploads that were never finished, above all. */
export function deleteOrphanedSoftware(
  { database }: { readonly database: Pick<Database, 'orm'> },
  directory: string,
  before: Date,
): Promise<number> {
  return deleteOrphans(directory, before, (names) => findKnownKeys(database.orm, names));
}
