import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { lacks } from '../../../../../packages/aws/tests/parts/parts.ts';
import type { RunningPart } from '../../../../../packages/aws/tests/parts/start-part.ts';
import { startVersitygw } from '../../../../../packages/aws/tests/parts/start-versitygw.ts';
import { createDirectoryFiles } from '../../../src/platform/files/directory-files.ts';
import type { FileContent, FileStore } from '../../../src/platform/files/file-store.ts';
import { directoryPlace, openFilePlace } from '../../../src/platform/files/open-file-place.ts';
import { readWhole } from '../../../src/platform/files/read-whole.ts';
import { requireUsablePlace } from '../../../src/platform/files/require-usable-place.ts';
import { listed } from './listed.ts';

let directory: string;
let store: RunningPart | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'places-'));
  if (!lacks('versitygw')) store = await startVersitygw('files');
});
afterAll(async () => {
  await store?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});
afterEach(() => void vi.unstubAllEnvs());

interface Changed {
  readonly bucket?: string;
  readonly prefix?: readonly string[];
  readonly endpoint?: string;
  readonly secret?: string;
}

function openS3({ secret, ...change }: Changed = {}) {
  const { endpoint = '', region = '', credentials } = store ?? {};
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials?.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret ?? credentials?.secretAccessKey);
  const config = { kind: 's3', bucket: 'files', prefix: ['a', 'b'], region, endpoint } as const;
  return openFilePlace({ ...config, ...change }, 'DEVICEPORTAL_FILES');
}

test('[file-places-1] a place that keeps what is stored there is usable, and keeps nothing of the check', async () => {
  await requireUsablePlace(directoryPlace(directory, 'test'));
  expect(await readdir(directory)).toEqual([]);
});

test.each([
  [
    'replaces a file that was to be absent',
    (files: FileStore) => ({ put: (key: string, from: FileContent) => files.put(key, from) }),
    /If-None-Match/,
  ],
  ['does not list its files', () => ({ async *list() {} }), /does not list/],
  ['returns other content', () => ({ open: async () => undefined }), /another content/],
] as const)('[file-places-2] a place that %s is refused', async (_name, fault, cause) => {
  const files = createDirectoryFiles(directory);
  const place = {
    ...directoryPlace(directory, 'DEVICEPORTAL_FILES'),
    open: () => ({ ...files, ...fault(files) }),
  };
  const refused = requireUsablePlace(place);
  await expect(refused).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(cause),
  });
});

describe.skipIf(lacks('versitygw'))('a place in S3', () => {
  test('[file-places-3] has a folder for each noun below its prefix', async () => {
    const place = await openS3();
    await requireUsablePlace(place);
    expect(place.name).toBe('s3://files/a/b');
    await place.open(['software'], 'spread').put('abcd', Readable.from(['x']));
    await place.open(['audit-trail'], 'nested').put('2026-08/x.parquet', Readable.from(['y']));
    const whole = (await openS3({ prefix: [] })).open(['a']);
    expect((await readWhole(place.open(['software']), 'abcd'))?.toString()).toBe('x');
    expect(await listed(whole, '')).toEqual([]);
  });

  test.each([
    ['no such bucket', { bucket: 'other' }, /404 NoSuchBucket/],
    ['a wrong key', { secret: 'guessed' }, /403 SignatureDoesNotMatch/],
    ['nothing listens there', { endpoint: 'http://127.0.0.1:1' }, /ECONNREFUSED/],
  ] as const)('[file-places-4] is refused in one line: %s', async (_name, change, cause) => {
    const error: unknown = await requireUsablePlace(await openS3(change)).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: 'StartError', message: expect.stringMatching(cause) });
    expect((error as Error).message).toMatch(/^DEVICEPORTAL_FILES is s3:\/\/\S+, .*$/);
  });

  test('[file-places-5] that fails later is "unavailable" to callers, whose own errors are theirs', async () => {
    const files = (await openS3({ bucket: 'gone' })).open(['software']);
    const failure = { errorName: 'httpUnknown', detail: expect.stringContaining('NoSuchBucket') };
    await expect(files.put('a', Readable.from(['x']))).rejects.toMatchObject(failure);
    await expect(files.remove('a')).rejects.toMatchObject(failure);
    await expect(listed(files, '')).rejects.toMatchObject(failure);
    await expect(files.beginUpload('a', 1).storedBytes()).rejects.toMatchObject(failure);
    await expect(files.open('../a')).rejects.toThrow(RangeError);
    const own = Readable.from(['x']);
    own.destroy(new Error('of the source'));
    await expect(files.put('a', own)).rejects.toThrow('of the source');
  });
});
