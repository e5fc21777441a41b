import { createHash, randomBytes } from 'node:crypto';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelTransfer, followTransfer } from '../../src/device-files/follow-transfer.ts';
import { readFile as readDeviceFile } from '../../src/device-files/read-file.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import {
  callerOf,
  filesViewer,
  openFilesFixture,
  REASON,
  type FilesFixture,
} from './files-fixture.ts';

const MIB = 1_024 * 1_024;
let fixture: FilesFixture;

beforeAll(async () => {
  fixture = await openFilesFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => fixture.cut(0));

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const inside = (name: string): string => join(fixture.writable, name);

describe('a download', () => {
  test('is the file, with its digest in the audit trail, and without its content', async () => {
    const content = randomBytes(9 * MIB + 17);
    await writeFile(inside('large'), content);
    const transfer = await fixture.read(inside('large'));
    expect(transfer).toMatchObject({
      ...{ state: 'done', bytes: content.length, totalBytes: content.length, start: 0 },
      sha256: sha256(content),
    });
    expect(sha256(await fixture.contentOf(transfer))).toBe(sha256(content));
    const [event] = (await fixture.events('file.read')).slice(-1);
    expect(event).toEqual({
      requestId: transfer.id,
      ...{ path: inside('large'), purpose: REASON, bytes: content.length, start: 0 },
      ...{ totalBytes: content.length, sha256: sha256(content) },
    });
  });

  test('is sent as bytes that no browser shows as a page, and in ranges', async () => {
    await writeFile(inside('page.html'), '<script>alert(1)</script>');
    const { url } = await fixture.read(inside('page.html'));
    const response = await fetch(`${fixture.serverUrl}${url}`, { headers: { range: 'bytes=8-' } });
    expect(response.status).toBe(206);
    expect(await response.text()).toBe('alert(1)</script>');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toContain('attachment');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });

  test('of a part is the beginning or the end', async () => {
    await writeFile(inside('log'), `${'a'.repeat(80_000)}${'b'.repeat(80_000)}`);
    const start = await fixture.read(inside('log'), 'start');
    const end = await fixture.read(inside('log'), 'end');
    expect(start).toMatchObject({ bytes: 65_536, start: 0, totalBytes: 160_000 });
    expect(end).toMatchObject({ bytes: 65_536, start: 94_464, totalBytes: 160_000 });
    expect((await fixture.contentOf(start)).toString()).toBe('a'.repeat(65_536));
    expect((await fixture.contentOf(end)).toString()).toBe('b'.repeat(65_536));
  });

  test('of an empty file is empty', async () => {
    await writeFile(inside('empty'), '');
    const transfer = await fixture.read(inside('empty'));
    expect(transfer).toMatchObject({ state: 'done', bytes: 0 });
    expect(await fixture.contentOf(transfer)).toHaveLength(0);
  });

  test('continues after lost connections, with the same content', async () => {
    const content = randomBytes(20 * MIB);
    await writeFile(inside('interrupted'), content);
    fixture.cut(4);
    const transfer = await fixture.read(inside('interrupted'));
    expect(transfer.state).toBe('done');
    expect(sha256(await fixture.contentOf(transfer))).toBe(sha256(content));
  }, 60_000);

  test('continues when the agent is restarted in the middle', async () => {
    const content = randomBytes(12 * MIB);
    await writeFile(inside('restarted'), content);
    fixture.cut(1_000);
    const asked = { deviceId: fixture.device.deviceId, reason: REASON, path: inside('restarted') };
    const { id } = await readDeviceFile(fixture.deps, callerOf(filesViewer()), {
      ...asked,
      part: 'whole',
    });
    await until(async () => (await followTransfer(fixture.deps, filesViewer(), { id })).bytes);
    await fixture.restartAgent();
    fixture.cut(0);
    const transfer = await fixture.ended(id);
    expect(transfer.state).toBe('done');
    expect(sha256(await fixture.contentOf(transfer))).toBe(sha256(content));
  }, 60_000);

  test('of a file that shrinks is refused, and of one that grows is its first content', async () => {
    const content = randomBytes(12 * MIB);
    await writeFile(inside('shrinks'), content);
    await writeFile(inside('grows'), content);
    fixture.cut(1_000);
    const shrinking = fixture.read(inside('shrinks'));
    const growing = fixture.read(inside('grows'));
    await until(async () => (await stored(inside('shrinks'))) !== null);
    await until(async () => (await stored(inside('grows'))) !== null);
    await writeFile(inside('shrinks'), 'short');
    await writeFile(inside('grows'), 'and more', { flag: 'a' });
    fixture.cut(0);
    expect(await shrinking).toMatchObject({ state: 'failed', failure: 'changed', url: null });
    const grown = await growing;
    expect(grown).toMatchObject({ state: 'done', bytes: content.length });
    expect(sha256(await fixture.contentOf(grown))).toBe(sha256(content));
  }, 60_000);
});

/** What the device has announced about a file. */
async function stored(path: string): Promise<number | null> {
  const [row] = await rowsOf<{ bytes: number | null }>(
    fixture.setup.database,
    'select bytes from device_file_request where path = $1 order by created_at desc limit 1',
    [path],
  );
  return row?.bytes ?? null;
}

describe('an upload', () => {
  test('is written as a whole, with the digest before and after it in the audit trail', async () => {
    const content = randomBytes(5 * MIB);
    const transfer = await fixture.write(inside('new'), content);
    expect(transfer).toMatchObject({ state: 'done', sha256: sha256(content) });
    expect(sha256(await readFile(inside('new')))).toBe(sha256(content));
    const facts = { path: inside('new'), bytes: content.length, sha256: sha256(content) };
    expect((await fixture.events('file.write-requested')).at(-1)).toMatchObject(facts);
    expect((await fixture.events('file.written')).at(-1)).toMatchObject(facts);
  });

  test('of an empty file is empty', async () => {
    expect((await fixture.write(inside('nothing'), Buffer.alloc(0))).state).toBe('done');
    expect((await stat(inside('nothing'))).size).toBe(0);
  });

  test('replaces a file only if that was chosen, and keeps its mode', async () => {
    await writeFile(inside('kept'), 'before');
    await chmod(inside('kept'), 0o750);
    const refused = await fixture.write(inside('kept'), Buffer.from('after'));
    expect(refused).toMatchObject({ state: 'failed', failure: 'exists' });
    expect(await readFile(inside('kept'), 'utf8')).toBe('before');
    expect((await fixture.write(inside('kept'), Buffer.from('after'), true)).state).toBe('done');
    expect(await readFile(inside('kept'), 'utf8')).toBe('after');
    expect((await stat(inside('kept'))).mode & 0o777).toBe(0o750);
  });

  test.each([
    ['a read-only folder', () => join(fixture.readOnly, 'x'), 'read-only'],
    ['a folder outside', () => join(fixture.outside, 'x'), 'outside'],
    ['the state of the agent', () => join(fixture.stateDirectory, 'x'), 'outside'],
    ['a missing folder', () => inside('none/x'), 'not-found'],
    ['a name with a control character', () => inside('a\u001Bb'), 'name'],
    ['a name that is too long', () => inside('x'.repeat(256)), 'name'],
  ] as const)('into %s is refused', async (_what, path, expected) => {
    expect(await fixture.write(path(), Buffer.from('x'))).toMatchObject({ failure: expected });
  });

  test('of two to the same name, one is written, and no part is left', async () => {
    const [one, other] = [randomBytes(2 * MIB), randomBytes(2 * MIB)];
    const ends = await Promise.all([
      fixture.write(inside('same'), one),
      fixture.write(inside('same'), other),
    ]);
    const failures = ends.map(({ failure }) => failure);
    expect(failures.toSorted()).toEqual(['exists', null].toSorted());
    const expected = failures[0] === null ? one : other;
    expect(sha256(await readFile(inside('same')))).toBe(sha256(expected));
    expect(await parts()).toEqual([]);
  });

  test('with other content than the portal signed is not written', async () => {
    fixture.cut(1_000);
    const id = await fixture.upload(inside('tampered'), Buffer.from('the content'));
    const [row] = await rowsOf<{ key: string }>(
      fixture.setup.database,
      'select storage_key as key from device_file_request where id = $1',
      [id],
    );
    const key = row?.key ?? '';
    await writeFile(join(fixture.contents, key.slice(0, 2), key), 'the c0ntent');
    fixture.cut(0);
    expect(await fixture.ended(id)).toMatchObject({ state: 'failed', failure: 'digest' });
    expect(await readdir(fixture.writable)).not.toContain('tampered');
    expect(await parts()).toEqual([]);
  }, 60_000);

  test('continues after lost connections and a restart of the agent', async () => {
    const content = randomBytes(24 * MIB);
    fixture.cut(3);
    const id = await fixture.upload(inside('resumed'), content);
    await until(async () => (await parts()).length > 0);
    await fixture.restartAgent(async () => {
      expect(await readdir(fixture.writable)).not.toContain('resumed');
    });
    expect((await fixture.ended(id)).state).toBe('done');
    expect(sha256(await readFile(inside('resumed')))).toBe(sha256(content));
    expect(await parts()).toEqual([]);
  }, 60_000);

  test.each([
    ['is done if an agent that was killed had given it its name', 'same', null],
    ['is refused if another file has its name by then, and leaves no part', 'other', 'exists'],
  ] as const)(
    'that continues %s',
    async (_what, kind, failure) => {
      const name = `continued-${kind}`;
      const content = randomBytes(8 * MIB);
      const found = kind === 'same' ? content : Buffer.from('other');
      fixture.cut(1_000);
      const id = await fixture.upload(inside(name), content);
      await until(async () => (await parts()).length > 0);
      await fixture.restartAgent(() => writeFile(inside(name), found));
      fixture.cut(0);
      expect((await fixture.ended(id)).failure).toBe(failure);
      expect(sha256(await readFile(inside(name)))).toBe(sha256(found));
      expect(await parts()).toEqual([]);
    },
    60_000,
  );

  test('that is canceled leaves nothing', async () => {
    fixture.cut(1_000);
    const id = await fixture.upload(inside('canceled'), randomBytes(8 * MIB));
    await until(async () => (await parts()).length > 0);
    await cancelTransfer(fixture.deps, filesViewer(), { id });
    fixture.cut(0);
    expect(await fixture.ended(id)).toMatchObject({ failure: 'canceled' });
    await until(async () => (await parts()).length === 0);
    expect(await readdir(fixture.writable)).not.toContain('canceled');
  }, 60_000);
});

const parts = async (): Promise<string[]> =>
  (await readdir(fixture.writable)).filter((name) => name.endsWith('.part'));
