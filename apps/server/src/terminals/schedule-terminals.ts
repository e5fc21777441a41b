import { inTransaction, type Database } from '../platform/database/database.ts';
import { findAbandoned, findUnsealed } from './data/terminal-queries.ts';
import { deleteSomeRecordings } from './data/expired-recordings.ts';
import { deleteLostWatchers } from './data/watcher-queries.ts';
import { endSession, type EndDeps } from './end-terminal.ts';
import { sealRecording } from './seal-recording.ts';

/** Longer than a server holds a session for a lost browser. */
const ABANDONED_SECONDS = 30;
const RECORDINGS_AT_ONCE = 10;

/** Ends sessions whose server has stopped, forgets who watched them, and seals recordings that are not. */
export async function sweepTerminals(deps: EndDeps): Promise<void> {
  for (const { id } of await findAbandoned(deps.database.orm, ABANDONED_SECONDS))
    await endSession(deps, { id, reason: 'browser-lost' });
  await deleteLostWatchers(deps.database.orm);
  for (const id of await findUnsealed(deps.database.orm)) await sealRecording(deps, id);
}

/** Deletes recordings at the end of their retention. The session and its digest are kept. */
export async function deleteExpiredRecordings(
  database: Pick<Database, 'orm'>,
  { days }: { readonly days: number },
): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await inTransaction(database, (tx) =>
      deleteSomeRecordings(tx, { days, limit: RECORDINGS_AT_ONCE }),
    );
    total += deleted;
    if (deleted < RECORDINGS_AT_ONCE) return total;
  }
}
