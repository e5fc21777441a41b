import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createDirectoryFiles,
  type DirectoryLayout,
} from '../../../src/platform/files/directory-files.ts';
import { testFileStore } from './file-store-contract.ts';
import { listed } from './listed.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'files-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

testFileStore(() => ({ open: () => createDirectoryFiles(join(directory, 'contract'), 'spread') }));

test.each([
  ['flat', 'audit-trail-1.csv', 'audit-trail-1.csv'],
  ['spread', 'ab34-x', 'ab/ab34-x'],
  ['nested', '2026-08/0123.parquet', '2026-08/0123.parquet'],
] as const)(
  'the layout "%s" has files where earlier releases stored them',
  async (layout, key, path) => {
    const folder = join(directory, `earlier-${layout}`);
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), 'earlier');
    const files = createDirectoryFiles(folder, layout);
    const opened = await files.open(key);
    expect(opened && (await buffer(opened.content)).toString()).toBe('earlier');
    expect((await listed(files, '')).map((each) => each.key)).toEqual([key]);
    await files.put(key, Readable.from(['now']));
    expect(await readFile(join(folder, path), 'utf8')).toBe('now');
    expect((await stat(join(folder, path))).mode & 0o777).toBe(0o600);
  },
);

test('an upload that an earlier release began is continued', async () => {
  const folder = join(directory, 'begun');
  await mkdir(join(folder, 'ab'), { recursive: true });
  await writeFile(join(folder, 'ab', 'abcd.part'), 'half ');
  const upload = createDirectoryFiles(folder, 'spread').beginUpload('abcd', 10);
  expect(await upload.storedBytes()).toBe(5);
  expect(await upload.putPart(5, Readable.from(['whole']))).toBe(10);
  await upload.finish();
  expect(await readFile(join(folder, 'ab', 'abcd'), 'utf8')).toBe('half whole');
});

test('what a killed server left is no file, and goes with its key or when it is old', async () => {
  const folder = join(directory, 'killed');
  const files = createDirectoryFiles(folder);
  await files.put('person-a-1.json', Readable.from(['x']));
  const drafts = [
    'person-a-1.json~0b8a9a80-52d9-4f4f-8d42-bd4d1f7f3a11.part',
    'person-a-2.json~0b8a9a80-52d9-4f4f-8d42-bd4d1f7f3a12.part',
    'person-b-1.json.part',
  ];
  for (const name of drafts) await writeFile(join(folder, name), 'half');
  expect(await listed(files, 'person-a')).toHaveLength(1);
  await files.remove('person-a-1.json');
  expect((await readdir(folder)).toSorted()).toEqual(drafts.slice(1));
  expect(await files.removeUnfinished({ prefix: 'person-a-' })).toBe(1);
  expect(await readdir(folder)).toEqual(drafts.slice(2));
});

test('other files and folders in the directory are not listed', async () => {
  const folder = join(directory, 'others');
  const files = createDirectoryFiles(folder);
  await files.put('one.csv', Readable.from(['x']));
  await mkdir(join(folder, 'inner'));
  for (const name of ['inner/two.csv', '.hidden', 'a b.csv'])
    await writeFile(join(folder, name), '');
  expect((await listed(files, '')).map(({ key }) => key)).toEqual(['one.csv']);
});

test.each<DirectoryLayout>(['flat', 'spread', 'nested'])(
  'no key of the layout "%s" leads out of the directory, and no two to one file',
  (layout) => {
    const files = createDirectoryFiles('/files', layout);
    const pathOf = (key: string): string | null => {
      try {
        return files.pathOf?.(key) ?? null;
      } catch (error) {
        if (error instanceof RangeError) return null;
        throw error;
      }
    };
    const pieces = fc.constantFrom(
      'a',
      'B',
      '0',
      '.',
      '..',
      '/',
      '\\',
      '-',
      '_',
      '\0',
      '.part',
      'é',
    );
    const keys = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 8 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(keys, keys, (one, other) => {
        const [first, second] = [pathOf(one), pathOf(other)];
        if (first === null) return;
        const inside = relative('/files', first);
        expect(inside.startsWith('..') || inside === '' || inside.startsWith('/')).toBe(false);
        expect(inside.split('/').some((part) => part.startsWith('.'))).toBe(false);
        if (one !== other) expect(first).not.toBe(second);
      }),
      { numRuns: 2_000 },
    );
  },
);
