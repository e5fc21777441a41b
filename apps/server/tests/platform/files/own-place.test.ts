import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FilePlace } from '../../../src/platform/files/file-place.ts';
import { directoryPlace } from '../../../src/platform/files/open-file-place.ts';
import { requireOwnPlace } from '../../../src/platform/files/require-own-place.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

let folder: string;
let test_: TestDatabase;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-place-'));
  test_ = await createTestDatabase();
});
afterEach(async () => {
  await test_[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const placeIn = (name: string): FilePlace =>
  directoryPlace(join(folder, name), 'DEVICEPORTAL_FILES');
/** A folder in the role of a bucket. */
const bucketIn = (name: string): FilePlace => ({ ...placeIn(name), name: `s3://bucket/${name}` });
const require = (place: FilePlace) => requireOwnPlace(test_.database, place);

test('[own-place-1] servers that start at the same time record one place, and a server with another one is refused', async () => {
  await Promise.all([1, 2, 3].map(() => require(placeIn('one'))));
  await expect(require(placeIn('other'))).rejects.toThrow(
    /^The files of this database are in \S+\/one on .*, but DEVICEPORTAL_FILES is \S+\/other on .*copy-files.*$/,
  );
  await require(placeIn('one'));
  const id = await readFile(join(folder, 'one', 'files-id'), 'utf8');
  await rm(join(folder, 'one', 'files-id'));
  await expect(require(placeIn('one'))).rejects.toThrow('The files of this database');
  await writeFile(join(folder, 'one', 'files-id'), id);
  await require(placeIn('one'));
});

test('[own-place-2] a bucket is not shared by two databases', async () => {
  await require(bucketIn('a'));
  await using other = await createTestDatabase();
  await expect(requireOwnPlace(other.database, bucketIn('a'))).rejects.toThrow(
    'has the files of another database',
  );
  await requireOwnPlace(other.database, bucketIn('b'));
});

test('[own-place-3] files of an earlier release are not left behind in the data folder', async () => {
  const local = placeIn('data');
  const start = () => requireOwnPlace(test_.database, bucketIn('a'), { folder: local });
  await local.open(['software'], 'spread').put('abcd', Readable.from(['x']));
  await expect(start()).rejects.toThrow(/files of this database are in \S+\/data on/);
  await local.open(['software'], 'spread').remove('abcd');
  await start();
});
