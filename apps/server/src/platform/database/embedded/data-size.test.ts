import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { measureDataSize, readDataSize, recordDataSize } from './data-size.ts';

let dataDir: string;
let clusterDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dp-size-'));
  clusterDir = join(dataDir, 'postgres');
  await store('16384', '2619', 4_000);
  await store('16384', '2619.1', 3_000);
  await store('5', '1259', 500);
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function store(database: string, file: string, bytes: number): Promise<void> {
  await mkdir(join(clusterDir, 'base', database), { recursive: true });
  await writeFile(join(clusterDir, 'base', database, file), Buffer.alloc(bytes));
}

test('every file of every database counts, and a cluster that does not exist is empty', async () => {
  expect(await measureDataSize(clusterDir)).toBe(7_500);
  expect(await measureDataSize(join(dataDir, 'other'))).toBe(0);
});

test('a start uses the last recorded size', async () => {
  await recordDataSize(dataDir, clusterDir);
  await store('16384', '2620', 9_000);
  expect(await readDataSize(dataDir, clusterDir)).toBe(7_500);
  await recordDataSize(dataDir, clusterDir);
  expect(await readDataSize(dataDir, clusterDir)).toBe(16_500);
  expect(await readdir(dataDir)).toEqual(['postgres', 'postgres-size']);
});

test.each(['', 'many\n', '12'])('a start measures if the record is %j', async (record) => {
  await writeFile(join(dataDir, 'postgres-size'), record);
  expect(await readDataSize(dataDir, clusterDir)).toBe(7_500);
});
