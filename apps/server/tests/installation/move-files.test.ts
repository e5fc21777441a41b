import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordServer } from '../../src/installation/data/installation-queries.ts';
import { moveFiles } from '../../src/installation/move-files.ts';
import type { FilePlace } from '../../src/platform/files/file-place.ts';
import type { FileStore } from '../../src/platform/files/file-store.ts';
import { directoryPlace } from '../../src/platform/files/open-file-place.ts';
import { readWhole } from '../../src/platform/files/read-whole.ts';
import { requireOwnPlace } from '../../src/platform/files/require-own-place.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { rowsOf } from '../support/gateway-fixture.ts';

let folder: string;
let test_: TestDatabase;
let [from, to]: FilePlace[] = [];
const keys = Array.from({ length: 30 }, (_, n) => `file-${n}`);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'move-files-'));
  test_ = await createTestDatabase();
  [from, to] = [placeIn('from'), placeIn('to')];
  const software = from.open(['software'], 'spread');
  for (const key of keys) await software.put(key, Readable.from([`content of ${key}`]));
});
afterEach(async () => {
  await test_[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const placeIn = (name: string): FilePlace =>
  directoryPlace(join(folder, name), 'DEVICEPORTAL_FILES');

interface Way {
  readonly from?: FilePlace | undefined;
  readonly to?: FilePlace | undefined;
  readonly through?: (store: FileStore) => FileStore;
}

function move(way: Way = {}) {
  const places = { from: way.from ?? placeIn('from'), to: way.to ?? placeIn('to') };
  const store = (place: FilePlace) => place.open(['software'], 'spread');
  const target = way.through?.(store(places.to)) ?? store(places.to);
  return moveFiles({
    ...{ database: test_.database, ...places, onProgress: () => {} },
    stores: [{ from: store(places.from), to: target }],
  });
}
const moved = () =>
  rowsOf<{ data: unknown }>(
    test_.database,
    "select data from audit_event where type = 'installation.files-moved'",
  );
const own = (place: FilePlace | undefined) => requireOwnPlace(test_.database, place as FilePlace);
const contentAt = async (place: FilePlace | undefined, key: string) =>
  (await readWhole((place as FilePlace).open(['software'], 'spread'), key))?.toString();

test('[move-files-1] files are copied and verified, the database then uses the new place, and the old one is refused', async () => {
  await own(from);
  expect(await move()).toMatchObject({
    ...{ total: { files: 30 }, copied: { files: 30 }, present: { files: 0 }, running: [] },
  });
  for (const key of keys) expect(await contentAt(to, key)).toBe(`content of ${key}`);
  expect(await contentAt(from, 'file-1')).toBe('content of file-1');
  await own(to);
  await expect(own(from)).rejects.toThrow('The files of this database are in');
  expect(await moved()).toEqual([
    {
      data: {
        from: expect.stringContaining('/from on'),
        to: expect.stringContaining('/to on'),
      },
    },
  ]);
  expect(await move()).toBe('moved-before');
  expect(await move({ from: to, to: from })).toMatchObject({ present: { files: 30 } });
  await own(from);
  expect(await moved()).toHaveLength(2);
});

test('[move-files-2] a copy that was interrupted continues, and replaces what differs', async () => {
  let left = 12;
  const failing = (store: FileStore): FileStore => ({
    ...store,
    async put(key, content, options) {
      left -= 1;
      if (left < 0) throw new Error('interrupted');
      return store.put(key, content, options);
    },
  });
  await expect(move({ through: failing })).rejects.toThrow('interrupted');
  await expect(own(to)).rejects.toThrow('The files of this database are in');
  await placeIn('to')
    .open(['software'], 'spread')
    .put('file-0', Readable.from(['content of file-X']));
  const again = await move();
  expect(again).toMatchObject({ total: { files: 30 } });
  const { copied, present } = again as Exclude<typeof again, 'moved-before'>;
  expect(present.files).toBeGreaterThanOrEqual(10);
  expect(copied.files + present.files).toBe(30);
  for (const key of keys) expect(await contentAt(to, key)).toBe(`content of ${key}`);
});

test('[move-files-3] a copy that does not come back as it was stored is refused', async () => {
  const damaging = (store: FileStore): FileStore => ({
    ...store,
    async put(key, content, options) {
      const stored = await store.put(key, content, options);
      if (key === 'file-7') await store.put(key, Readable.from(['damaged']));
      return stored;
    },
  });
  await expect(move({ through: damaging })).rejects.toThrow('the copy of file-7 differs');
  expect(await moved()).toEqual([]);
});

test('[move-files-4] while a server is running, the database keeps using the old place', async () => {
  const id = '0198c0de-0000-7000-8000-000000000001';
  await recordServer(test_.database.orm, { id, name: 'host-a:1', secrets: [] });
  expect(await move()).toMatchObject({ copied: { files: 30 }, running: ['host-a:1'] });
  await own(from);
  expect(await moved()).toEqual([]);
  await test_.database.pool.query('delete from installation_server');
  expect(await move()).toMatchObject({ copied: { files: 0 }, present: { files: 30 }, running: [] });
  await own(to);
});

test('[move-files-5] files do not go into a place of another database, nor come from one', async () => {
  await own(from);
  await using other = await createTestDatabase();
  await requireOwnPlace(other.database, placeIn('to'));
  await expect(move()).rejects.toThrow('has the files of another database');
  await expect(move({ from: placeIn('to'), to: placeIn('third') })).rejects.toThrow(
    'The files of this database are in',
  );
});
