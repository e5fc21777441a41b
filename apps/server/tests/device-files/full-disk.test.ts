import { createHash, randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/gateway-fixture.ts';
import { limitedDisk, type LimitedDisk } from '../support/limited-disk.ts';
import { openFilesFixture, type FilesFixture } from './files-fixture.ts';

const MIB = 1_024 * 1_024;
const TEST_LIMIT_MS = 60_000;
let fixture: FilesFixture;
let disk: LimitedDisk;

beforeAll(async () => {
  fixture = await openFilesFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => fixture.cut(0));

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

describe.skipIf(limitedDisk.isMissing)('a full disk', () => {
  describe('of a device', () => {
    let place: string;
    beforeEach(async () => {
      place = join(fixture.writable, 'small');
      disk = await limitedDisk.mount(place, '48m');
    });
    afterEach(() => disk[Symbol.asyncDispose]());

    test('rejects an upload that has no room, and leaves nothing', async () => {
      const transfer = await fixture.write(join(place, 'large'), randomBytes(24 * MIB));
      expect(transfer).toMatchObject({ state: 'failed', failure: 'no-space' });
      expect(await disk.files()).toEqual([]);
    });

    test(
      'ends an upload that fills it, removes its part, and keeps a file that it would replace',
      async () => {
        const path = join(place, 'log');
        await writeFile(path, 'before');
        fixture.cut(2);
        const id = await fixture.upload(path, randomBytes(12 * MIB), true);
        await until(async () => (await disk.files()).length === 2);
        await disk.fill();
        expect(await fixture.ended(id)).toMatchObject({ state: 'failed', failure: 'no-space' });
        expect(await disk.files()).toEqual([path]);
        expect((await fixture.events('file.refused')).at(-1)).toMatchObject({
          ...{ requestId: id, action: 'write', failure: 'no-space' },
        });
        await disk.empty();
        expect((await fixture.write(path, Buffer.from('after'), true)).state).toBe('done');
      },
      TEST_LIMIT_MS,
    );
  });

  describe('of the portal', () => {
    beforeEach(async () => {
      disk = await limitedDisk.mount(fixture.contents, '6m');
    });
    afterEach(() => disk[Symbol.asyncDispose]());

    test(
      'ends a download with this reason, deletes what was stored, and the next one succeeds',
      async () => {
        const path = join(fixture.writable, 'large');
        await writeFile(path, randomBytes(9 * MIB));
        const transfer = await fixture.read(path);
        expect(transfer).toMatchObject({ state: 'failed', failure: 'store-full', url: null });
        expect(await disk.files()).toEqual([]);
        const small = randomBytes(MIB);
        await writeFile(path, small);
        const next = await fixture.read(path);
        expect(sha256(await fixture.contentOf(next))).toBe(sha256(small));
      },
      TEST_LIMIT_MS,
    );

    test('rejects an upload with this reason, and asks the device for nothing', async () => {
      const path = join(fixture.writable, 'uploaded');
      const { id, response } = await fixture.send(path, randomBytes(9 * MIB));
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('no disk space left');
      expect(await fixture.ended(id)).toMatchObject({ state: 'failed', failure: 'store-full' });
      expect(await disk.files()).toEqual([]);
      expect(await readdir(fixture.writable)).not.toContain('uploaded');
    });
  });
});
