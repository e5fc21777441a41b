import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deleteOrphans } from './delete-orphans.ts';
import { createDirectoryFiles } from './directory-files.ts';

let folder: string;
const noon = new Date('2026-11-20T12:00:00Z');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orphans-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(name: string, at: Date): Promise<void> {
  const path = join(folder, name.slice(0, 2), name);
  await mkdir(join(folder, name.slice(0, 2)), { recursive: true });
  await writeFile(path, name);
  await utimes(path, at, at);
}

test('deletes old orphaned files, and keeps referenced and recent ones', async () => {
  const morning = new Date('2026-11-20T08:00:00Z');
  await put('aa-kept', morning);
  await put('aa-orphan', morning);
  await put('bb-upload.part', morning);
  await put('bb-young', new Date('2026-11-20T13:00:00Z'));
  const keptOf = async (names: readonly string[]) =>
    new Set(names.filter((name) => name === 'aa-kept'));
  expect(await deleteOrphans(createDirectoryFiles(folder, 'spread'), noon, keptOf)).toBe(2);
  const left = await readdir(folder, { recursive: true, withFileTypes: true });
  expect(
    left
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['aa-kept', 'bb-young']);
  expect(await deleteOrphans(createDirectoryFiles(join(folder, 'nowhere')), noon, keptOf)).toBe(0);
});
