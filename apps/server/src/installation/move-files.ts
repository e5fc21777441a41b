import { inTransaction, type Database } from '../platform/database/database.ts';
import { copyFiles, type CopiedStore, type CopyProgress } from '../platform/files/copy-files.ts';
import type { FilePlace } from '../platform/files/file-place.ts';
import {
  ensurePlaceId,
  keepPlaceRecord,
  readPlaceId,
  readPlaceRecord,
} from '../platform/files/place-record.ts';
import { lockPlace, requireOwnPlace } from '../platform/files/require-own-place.ts';
import { requireUsablePlace } from '../platform/files/require-usable-place.ts';
import { StartError } from '../platform/process/start-error.ts';
import { adoptFilePlace } from './adopt-file-place.ts';
import { SERVER_SILENT_SECONDS } from './await-servers.ts';
import { readServers } from './data/installation-queries.ts';

export interface MoveFilesOptions {
  readonly database: Pick<Database, 'orm'>;
  readonly from: FilePlace;
  readonly to: FilePlace;
  readonly stores: readonly CopiedStore[];
  readonly onProgress: (progress: CopyProgress) => void;
}

export type MovedFiles = 'moved-before' | MoveOutcome;

interface MoveOutcome extends CopyProgress {
  /** Servers that can still store files in the old place; the database then keeps using it. */
  readonly running: readonly string[];
}

/**
 * Copies the files of an installation to another place, and makes the database use that place unless
 * a server is running. It can be interrupted and repeated at any time.
 * @throws StartError if the files of this database are elsewhere, a place cannot be used, or the new
 * place has files of another database
 */
export async function moveFiles(options: MoveFilesOptions): Promise<MovedFiles> {
  const { database, from, to } = options;
  await requireUsablePlace(to);
  const recorded = await readPlaceRecord(database.orm);
  if (recorded !== undefined && (await readPlaceId(to)) === recorded.id) return 'moved-before';
  await requireOwnPlace(database, from);
  await requireFreePlace(database, to);
  const copied = await copyFiles(options.stores, options.onProgress);
  const running = (await readServers(database.orm, SERVER_SILENT_SECONDS)).map(({ name }) => name);
  if (running.length === 0) await inTransaction(database, (tx) => adoptFilePlace(tx, to));
  return { ...copied, running };
}

/** A place that has no files, or only copies of this installation's. */
async function requireFreePlace(database: Pick<Database, 'orm'>, to: FilePlace): Promise<void> {
  await inTransaction(database, async (tx) => {
    await lockPlace(tx);
    const recorded = await readPlaceRecord(tx);
    const found = await readPlaceId(to);
    if (recorded === undefined) throw new Error('the database does not record a place of files');
    if (found !== undefined && recorded.others.includes(found)) return;
    if (found !== undefined) {
      throw new StartError(`${to.name} has the files of another database. Use another prefix.`);
    }
    const others = [...recorded.others, await ensurePlaceId(to)];
    await keepPlaceRecord(tx, { ...recorded, others });
  });
}
