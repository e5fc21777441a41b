import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  UPLOAD_PART_BYTES,
  type ByteRange,
  type FileStore,
} from '../../../src/platform/files/file-store.ts';
import { listed } from './listed.ts';

export interface ContractSubject {
  /** A store of flat keys, the same for every call. */
  readonly open: () => FileStore;
}

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
const newKey = (): string => randomUUID();
const readAll = async (files: FileStore, key: string, range?: ByteRange) => {
  const opened = await files.open(key, range);
  return opened && buffer(opened.content);
};
const keysOf = async (files: FileStore, prefix: string) =>
  (await listed(files, prefix)).map(({ key }) => key).toSorted();

async function* failing(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
  throw new Error('the source failed');
}

/** What every engine guarantees. Call it in a file of tests. */
export function testFileStore(subject: () => ContractSubject): void {
  testFiles(subject);
  testUploads(subject);
}

function testFiles(subject: () => ContractSubject): void {
  test.each([0, 1, 70_000, UPLOAD_PART_BYTES, UPLOAD_PART_BYTES + 1])(
    'returns a file of %i bytes as it was stored, with its digest',
    async (bytes) => {
      const files = subject().open();
      const [key, content] = [newKey(), randomBytes(bytes)];
      const stored = { bytes, sha256: sha256(content) };
      expect(await files.put(key, Readable.from([content]))).toEqual(stored);
      expect((await readAll(files, key))?.equals(content)).toBe(true);
      expect(await files.find(key)).toMatchObject({ key, bytes });
      expect((await files.open(key))?.content.destroy()).toBeDefined();
    },
  );

  test('accepts text, and content that arrives in many pieces', async () => {
    const files = subject().open();
    const key = newKey();
    await files.put(key, Readable.from(Array.from({ length: 1_000 }, (_, n) => `line ${n} é\n`)));
    expect((await readAll(files, key))?.toString('utf8')).toContain('line 999 é\n');
  });

  test('returns a range of a file, and the size of the whole', async () => {
    const files = subject().open();
    const [key, content] = [newKey(), randomBytes(70_000)];
    await files.put(key, Readable.from([content]));
    const opened = await files.open(key, { start: 60_000, end: 60_009 });
    expect(opened?.bytes).toBe(70_000);
    expect(opened && (await buffer(opened.content))).toEqual(content.subarray(60_000, 60_010));
    expect(await readAll(files, key, { start: 0, end: 0 })).toEqual(content.subarray(0, 1));
  });

  test('has no file under a key that nothing was stored under', async () => {
    const files = subject().open();
    expect(await files.open(newKey())).toBeUndefined();
    expect(await files.find(newKey())).toBeUndefined();
    await files.remove(newKey());
  });

  test('replaces a file, which changes its revision, unless it was to be absent', async () => {
    const files = subject().open();
    const key = newKey();
    await files.put(key, Readable.from(['one']), { ifAbsent: true });
    const first = await files.find(key);
    const again = files.put(key, Readable.from(['two']), { ifAbsent: true });
    await expect(again).rejects.toMatchObject({ code: 'EEXIST' });
    expect((await readAll(files, key))?.toString()).toBe('one');
    await files.put(key, Readable.from(['three']));
    expect((await readAll(files, key))?.toString()).toBe('three');
    expect((await files.find(key))?.revision).not.toBe(first?.revision);
  });

  test('lets exactly one of many concurrent writers create a file', async () => {
    const files = subject().open();
    const key = newKey();
    const put = (n: number) => files.put(key, Readable.from([`${n}`]), { ifAbsent: true });
    const ends = await Promise.allSettled([1, 2, 3, 4, 5].map(put));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test.each([10, UPLOAD_PART_BYTES + 10])(
    'keeps nothing of a source that fails after %i bytes, and the earlier file',
    async (bytes) => {
      const files = subject().open();
      const key = newKey();
      await expect(files.put(key, failing(randomBytes(bytes)))).rejects.toThrow('source failed');
      expect(await files.find(key)).toBeUndefined();
      await files.put(key, Readable.from(['kept']));
      await expect(files.put(key, failing(randomBytes(bytes)))).rejects.toThrow('source failed');
      expect((await readAll(files, key))?.toString()).toBe('kept');
      expect(await files.removeUnfinished({ prefix: key })).toBe(0);
    },
  );

  test('stops when it is aborted', async () => {
    const files = subject().open();
    const [key, stop] = [newKey(), new AbortController()];
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        yield randomBytes(1_000);
        stop.abort();
      }
    }
    await expect(files.put(key, endless(), { signal: stop.signal })).rejects.toThrow(/abort/i);
    expect(await files.find(key)).toBeUndefined();
  });

  test('lists the files whose keys begin with a text, also more than one page', async () => {
    const files = subject().open();
    const [one, other] = [newKey(), newKey()];
    const keys = Array.from({ length: 5 }, (_, n) => `${one}.${n}`);
    for (const key of [...keys, other]) await files.put(key, Readable.from(['x']));
    expect(await keysOf(files, `${one}.`)).toEqual(keys);
    expect(await keysOf(files, other)).toEqual([other]);
    expect(await keysOf(files, '')).toEqual(expect.arrayContaining([...keys, other]));
    const [found] = await listed(files, other);
    expect(found?.bytes).toBe(1);
    expect(Math.abs(Date.now() - (found?.modifiedAt.getTime() ?? 0))).toBeLessThan(60_000);
    await files.remove(other);
    await files.remove(other);
    expect(await keysOf(files, other)).toEqual([]);
  });

  test('rejects every text that is no key, and keeps apart all that are', async () => {
    const files = subject().open();
    const bad = ['', '.', '..', '../x', '/x', 'a/../b', 'a/b', '.hidden', 'x.part', 'a\\b', 'é'];
    for (const key of [...bad, 'a\0b', 'x'.repeat(129), 'a b', 'a\nb']) {
      await expect(files.put(key, Readable.from(['x']))).rejects.toThrow(RangeError);
      await expect(files.open(key)).rejects.toThrow(RangeError);
      await expect(files.find(key)).rejects.toThrow(RangeError);
      await expect(files.remove(key)).rejects.toThrow(RangeError);
      expect(() => files.beginUpload(key, 1)).toThrow(RangeError);
    }
    const keys = fc
      .stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/)
      .filter((key) => !key.endsWith('.part'));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(keys, { minLength: 2, maxLength: 4 }), async (several) => {
        for (const key of several) await files.put(key, Readable.from([key]));
        for (const key of several) expect((await readAll(files, key))?.toString()).toBe(key);
        for (const key of several) await files.remove(key);
      }),
      { numRuns: 30 },
    );
  });
}

function testUploads(subject: () => ContractSubject): void {
  const total = 2 * UPLOAD_PART_BYTES + 1_000;

  test('continues an upload on another server, in parts that may be sent again', async () => {
    const [one, other] = [subject().open(), subject().open()];
    const [key, content] = [newKey(), randomBytes(total)];
    const part = (n: number) =>
      Readable.from([content.subarray(n * UPLOAD_PART_BYTES, (n + 1) * UPLOAD_PART_BYTES)]);
    expect(await one.beginUpload(key, total).storedBytes()).toBe(0);
    expect(await one.beginUpload(key, total).putPart(0, part(0))).toBe(UPLOAD_PART_BYTES);
    expect(await other.beginUpload(key, total).storedBytes()).toBe(UPLOAD_PART_BYTES);
    const second = other.beginUpload(key, total);
    expect(await second.putPart(UPLOAD_PART_BYTES, part(1))).toBe(2 * UPLOAD_PART_BYTES);
    expect(await one.beginUpload(key, total).putPart(0, part(0))).toBe(2 * UPLOAD_PART_BYTES);
    await expect(second.finish()).rejects.toThrow(RangeError);
    expect(await one.find(key)).toBeUndefined();
    expect(await one.beginUpload(key, total).putPart(2 * UPLOAD_PART_BYTES, part(2))).toBe(total);
    const stored = { bytes: total, sha256: sha256(content) };
    expect(await other.beginUpload(key, total).finish()).toEqual(stored);
    expect(await one.beginUpload(key, total).finish()).toEqual(stored);
    expect((await readAll(one, key))?.equals(content)).toBe(true);
    expect(await one.removeUnfinished({ prefix: key })).toBe(0);
  });

  test('takes a whole file at once', async () => {
    const files = subject().open();
    const [key, content] = [newKey(), randomBytes(total)];
    const pieces = Array.from({ length: Math.ceil(total / 65_536) }, (_, n) =>
      content.subarray(n * 65_536, (n + 1) * 65_536),
    );
    const upload = files.beginUpload(key, total);
    expect(await upload.putPart(0, Readable.from(pieces))).toBe(total);
    expect(await upload.finish()).toEqual({ bytes: total, sha256: sha256(content) });
  });

  test('keeps whole parts of an interrupted transfer, and continues at any stored byte', async () => {
    const files = subject().open();
    const [key, content] = [newKey(), randomBytes(total)];
    const upload = files.beginUpload(key, total);
    const cut = UPLOAD_PART_BYTES + 100_000;
    await expect(upload.putPart(0, failing(content.subarray(0, cut)))).rejects.toThrow('failed');
    const stored = await files.beginUpload(key, total).storedBytes();
    expect([UPLOAD_PART_BYTES, cut]).toContain(stored);
    const from = stored - 1_000;
    expect(await upload.putPart(from, Readable.from([content.subarray(from)]))).toBe(total);
    expect(await upload.finish()).toEqual({ bytes: total, sha256: sha256(content) });
  });

  test('refuses a part after a gap', async () => {
    const files = subject().open();
    const upload = files.beginUpload(newKey(), total);
    const late = upload.putPart(UPLOAD_PART_BYTES, Readable.from(['x']));
    await expect(late).rejects.toThrow(RangeError);
    await upload.abort();
  });

  test('deletes unfinished uploads when they are aborted, removed, or old, and no others', async () => {
    const files = subject().open();
    const prefix = randomUUID().slice(0, 8);
    const begin = async (name: string) => {
      const upload = files.beginUpload(`${prefix}.${name}`, total);
      await upload.putPart(0, Readable.from([randomBytes(UPLOAD_PART_BYTES)]));
      return upload;
    };
    await (await begin('aborted')).abort();
    const removed = await begin('removed');
    await files.remove(`${prefix}.removed`);
    expect(await removed.storedBytes()).toBe(0);
    const old = await begin('old');
    const hourAgo = new Date(Date.now() - 3_600_000);
    expect(await files.removeUnfinished({ before: hourAgo, prefix })).toBe(0);
    expect(await old.storedBytes()).toBe(UPLOAD_PART_BYTES);
    const later = new Date(Date.now() + 3_600_000);
    expect(await files.removeUnfinished({ before: later, prefix: `${prefix}x` })).toBe(0);
    expect(await files.removeUnfinished({ before: later, prefix })).toBe(1);
    expect(await old.storedBytes()).toBe(0);
  });
}
