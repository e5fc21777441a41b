import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Executor } from '../database/database.ts';
import { keepSetting, readSetting } from '../keep-setting.ts';
import type { FilePlace } from './file-place.ts';
import { readWhole } from './read-whole.ts';

const KEY = 'file-place';
/** The file by which a place is known. */
const PLACE_FILE = 'files-id';

const placeRecordSchema = z.object({
  /** ID of the place that has the files of this database. */
  id: z.uuid(),
  /** Its name, for error lines. */
  name: z.string(),
  /** IDs of places that had them before, or to which they were copied. */
  others: z.array(z.uuid()),
});

export type PlaceRecord = z.infer<typeof placeRecordSchema>;

/** Undefined on a database that no server has used with this release. */
export async function readPlaceRecord(on: Executor): Promise<PlaceRecord | undefined> {
  const found = await readSetting(on, KEY);
  return found === undefined ? undefined : placeRecordSchema.parse(found);
}

export const keepPlaceRecord = (on: Executor, record: PlaceRecord): Promise<void> =>
  keepSetting(on, KEY, record);

/** Undefined for a place that has never had files of an installation. */
export async function readPlaceId(place: FilePlace): Promise<string | undefined> {
  const text = (await readWhole(place.open([]), PLACE_FILE))?.toString('utf8').trim();
  const id = z.uuid().safeParse(text);
  if (text !== undefined && !id.success) {
    throw new Error(`${place.name}/${PLACE_FILE} does not contain an ID`);
  }
  return id.data;
}

/** The ID of a place, which gets one if it has none. */
export async function ensurePlaceId(place: FilePlace): Promise<string> {
  const found = await readPlaceId(place);
  if (found !== undefined) return found;
  const id = randomUUID();
  await place.open([]).put(PLACE_FILE, contentOf(id), { ifAbsent: true });
  return id;
}

async function* contentOf(id: string): AsyncGenerator<string> {
  yield `${id}\n`;
}
