import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDirectoryFiles } from '../../../src/platform/files/directory-files.ts';
import type { FileStore } from '../../../src/platform/files/file-store.ts';
import { createLocalCopies, type LocalCopies } from '../../../src/platform/files/local-copies.ts';

let folder: string;
let files: FileStore;
let copies: LocalCopies;
let opened: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'copies-'));
  const { pathOf: _isElsewhere, ...store } = createDirectoryFiles(join(folder, 'files'), 'nested');
  opened = [];
  files = {
    ...store,
    open(key, range) {
      opened.push(key);
      return store.open(key, range);
    },
  };
  copies = createLocalCopies({ files, directory: join(folder, 'copies'), limitBytes: 25 });
});
afterEach(() => rm(folder, { recursive: true }));

const put = (key: string, text: string) => files.put(key, Readable.from([text]));
const contentOf = async (key: string): Promise<string> =>
  readFile((await copies.pathOf(key)) ?? '', 'utf8');
const kept = () => readdir(join(folder, 'copies'));

/** As after an hour. */
async function age(): Promise<void> {
  const then = new Date(Date.now() - 3_600_000);
  for (const name of await kept()) await utimes(join(folder, 'copies', name), then, then);
}

test('[local-copies-1] a file is copied once, also for several readers, and again when it was replaced', async () => {
  await put('2026-08/a.parquet', 'one');
  const read = () => contentOf('2026-08/a.parquet');
  expect(await Promise.all([read(), read(), read()])).toEqual(['one', 'one', 'one']);
  expect(await read()).toBe('one');
  expect(opened).toEqual(['2026-08/a.parquet']);
  await put('2026-08/a.parquet', 'another');
  expect(await read()).toBe('another');
  expect(await copies.pathOf('2026-08/b.parquet')).toBeUndefined();
});

test('[local-copies-2] a new copy displaces the longest unused ones above the limit, and none in use', async () => {
  for (const key of ['a', 'b', 'c']) await put(`2026-08/${key}`, `${key}`.repeat(10));
  await copies.pathOf('2026-08/a');
  await age();
  await copies.pathOf('2026-08/b');
  await copies.pathOf('2026-08/c');
  expect(await kept()).toHaveLength(2);
  await copies.pathOf('2026-08/a');
  expect(await kept()).toHaveLength(3);
});

test('[local-copies-3] copies of files that were deleted or replaced go with the next copy', async () => {
  await put('2026-08/a', 'gone');
  await put('2026-08/b', 'old');
  await Promise.all([copies.pathOf('2026-08/a'), copies.pathOf('2026-08/b')]);
  await age();
  await files.remove('2026-08/a');
  await put('2026-08/b', 'newer');
  expect(await contentOf('2026-08/b')).toBe('newer');
  expect(await kept()).toHaveLength(1);
});
