import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Readable } from 'node:stream';
import { lacks } from '../../../../../packages/aws/tests/parts/parts.ts';
import type { RunningPart } from '../../../../../packages/aws/tests/parts/start-part.ts';
import { startVersitygw } from '../../../../../packages/aws/tests/parts/start-versitygw.ts';
import { loadAws } from '../../../src/platform/aws/load-aws.ts';
import { withSafeKeys } from '../../../src/platform/files/file-key.ts';
import { UPLOAD_PART_BYTES, type FileStore } from '../../../src/platform/files/file-store.ts';
import { testFileStore } from './file-store-contract.ts';
import { listed } from './listed.ts';

let store: RunningPart;
let filesIn: (folder: string) => FileStore;

describe.skipIf(lacks('versitygw'))('files in S3', () => {
  beforeAll(async () => {
    store = await startVersitygw('files');
    const { createS3Files } = await loadAws('s3-files', 'test');
    filesIn = createS3Files({
      ...store,
      ...{ bucket: 'files', partBytes: UPLOAD_PART_BYTES, pageSize: 3 },
    });
  });
  afterAll(() => store[Symbol.asyncDispose]());

  testFileStore(() => ({ open: () => withSafeKeys(filesIn('contract'), 'flat') }));

  test('[s3-files-1] keys of other folders, and other objects, are not listed', async () => {
    const one = withSafeKeys(filesIn('one'), 'nested');
    const other = withSafeKeys(filesIn('one-more'), 'nested');
    await one.put('2026-08/a.parquet', Readable.from(['x']));
    await other.put('b', Readable.from(['x']));
    await filesIn('one').put('deep/er/than keys', Readable.from(['x']));
    expect((await listed(one, '')).map(({ key }) => key)).toEqual(['2026-08/a.parquet']);
    expect((await listed(one, '2026-09/')).map(({ key }) => key)).toEqual([]);
  });
});
