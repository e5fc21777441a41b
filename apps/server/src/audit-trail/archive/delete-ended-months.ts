import { inTransaction } from '../../platform/database/database.ts';
import { recordAudit, systemActor } from '../record-audit.ts';
import type { ArchiveDeps } from './archive-audit-months.ts';
import { endArchiveFiles } from '../data/archive/archive-file-queries.ts';

/** Deletes archived months after their retention, with an audit event for each. Returns how many. */
export async function deleteEndedMonths(
  { database, archive }: Pick<ArchiveDeps, 'database' | 'archive'>,
  before: Date,
): Promise<number> {
  const ended = await inTransaction(database, async (tx) => {
    const files = await endArchiveFiles(tx, before);
    await recordAudit(
      tx,
      files.map(({ month, events, digest, file }) => ({
        type: 'audit-trail.month-deleted',
        actor: systemActor,
        data: { month, events, digest, file },
      })),
    );
    return files;
  });
  // Files that remain after a crash are no longer read.
  for (const { file } of ended) await archive.files.remove(file);
  return ended.length;
}
