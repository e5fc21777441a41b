import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deleteOldFiles } from './delete-old-files.ts';
import { createDirectoryFiles } from './directory-files.ts';

test('[export-end-1] deletes old export files, and keeps other files and folders', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'exports-'));
  const files = createDirectoryFiles(folder);
  const ages = {
    'old.csv': '2026-09-01',
    'old.csv.manifest.json': '2026-09-01',
    'old.json.part': '2026-09-01',
    'new.csv': '2026-11-01',
  };
  for (const [name, day] of Object.entries(ages)) {
    await writeFile(join(folder, name), 'x');
    await utimes(join(folder, name), new Date(day), new Date(day));
  }
  await mkdir(join(folder, 'folder'));
  const before = new Date('2026-10-01');
  expect(await deleteOldFiles(files, before)).toBe(3);
  expect((await readdir(folder)).toSorted()).toEqual(['folder', 'new.csv']);
  expect(await deleteOldFiles(files, before)).toBe(0);
  await rm(folder, { recursive: true });
  expect(await deleteOldFiles(files, before)).toBe(0);
});
