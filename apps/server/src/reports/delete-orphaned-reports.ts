import type { Database } from '../platform/database/database.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import { deleteOrphans } from '../platform/files/delete-orphans.ts';
import { findKnownReports } from './data/find-known-reports.ts';
import { deleteReportFiles, idOfReportFile } from './report-files.ts';
import type { CreateReportDeps } from './reports-deps.ts';

/**
 * Deletes the files of a report or copy that is in no table: its person was erased while the files were written, or the
 * share was refused.
 */
export async function deleteIfOrphaned(
  { database, userReportFiles }: Pick<CreateReportDeps, 'database' | 'userReportFiles'>,
  id: string,
): Promise<void> {
  const known = await findKnownReports(database.orm, [id]);
  if (!known.has(id)) await deleteReportFiles(userReportFiles, id);
}

/** The same for all files that a killed server left. */
export function deleteOrphanedReports(
  { database }: { readonly database: Pick<Database, 'orm'> },
  files: FileStore,
  before: Date,
): Promise<number> {
  return deleteOrphans(files, before, async (names) => {
    const idOf = (name: string): string => idOfReportFile(name) ?? '';
    const ids = [...new Set(names.map(idOf))].filter((id) => id !== '');
    const known = await findKnownReports(database.orm, ids);
    return new Set(names.filter((name) => idOf(name) === '' || known.has(idOf(name))));
  });
}
