import { hostname } from 'node:os';
import { holdUntilCommit } from '../database/advisory-lock.ts';
import { inTransaction, type Database, type Transaction } from '../database/database.ts';
import { StartError } from '../process/start-error.ts';
import { openAllFolders } from './file-folders.ts';
import type { FilePlace } from './file-place.ts';
import {
  ensurePlaceId,
  keepPlaceRecord,
  readPlaceId,
  readPlaceRecord,
  type PlaceRecord,
} from './place-record.ts';

/** Serializes changes of the place that has the files of a database. */
export const lockPlace = (tx: Transaction): Promise<void> => holdUntilCommit(tx, 'file-place');

/** Of a folder, with the machine. */
export const placeNameOf = ({ name }: FilePlace): string =>
  isS3(name) ? name : `${name} on ${hostname()}`;

export interface OwnPlaceOptions {
  /** The data folder of this server, which can have files of an earlier release. */
  readonly folder?: FilePlace;
}

/**
 * Compares the ID of a place with that in the database, so that servers with different disks do not
 * each keep a part of the files. The first start records the place.
 * @throws StartError if the files of this database are elsewhere, or the place has those of another
 */
export async function requireOwnPlace(
  database: Pick<Database, 'orm'>,
  place: FilePlace,
  { folder }: OwnPlaceOptions = {},
): Promise<void> {
  await inTransaction(database, async (tx) => {
    await lockPlace(tx);
    const recorded = await readPlaceRecord(tx);
    const found = await readPlaceId(place);
    if (recorded !== undefined) {
      if (found !== recorded.id) throw elsewhere(recorded, place);
      return;
    }
    if (folder !== undefined && isS3(place.name) && (await hasFiles(folder))) {
      throw elsewhere({ name: placeNameOf(folder) }, place);
    }
    await recordFirst(tx, place, found);
  });
}

async function recordFirst(
  tx: Transaction,
  place: FilePlace,
  found: string | undefined,
): Promise<void> {
  if (found !== undefined && isS3(place.name)) {
    throw new StartError(
      `${place.setting} is ${place.name}, which has the files of another database. Use another prefix.`,
    );
  }
  const id = await ensurePlaceId(place);
  await keepPlaceRecord(tx, { id, name: placeNameOf(place), others: [] });
}

const elsewhere = (recorded: Pick<PlaceRecord, 'name'>, place: FilePlace): StartError =>
  new StartError(
    `The files of this database are in ${recorded.name}, but ${place.setting} is ${placeNameOf(place)}, and several servers need one place for files. Set ${place.setting} to a place that all servers reach, such as s3://bucket/prefix, after "npm run admin -- copy-files" has copied the files there (docs/guides/files.md).`,
  );

async function hasFiles(folder: FilePlace): Promise<boolean> {
  for (const files of openAllFolders(folder, undefined)) {
    for await (const _file of files.list('')) return true;
  }
  return false;
}

const isS3 = (name: string): boolean => name.startsWith('s3://');
