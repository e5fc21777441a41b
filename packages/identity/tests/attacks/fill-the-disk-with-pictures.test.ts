import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uploadLimits } from '../../src/uploads/upload-limits.ts';
import { createUploads, MAX_PICTURE_BYTES } from '../../src/uploads/uploads.ts';
import { openProvider, type OpenProvider } from '../provider/support/open-provider.ts';

const MINUTE_MS = 60_000;
const TOO_MANY = 429;

let idp: OpenProvider;
beforeAll(async () => {
  idp = await openProvider();
});
afterAll(() => idp[Symbol.asyncDispose]());

const head = PNG.sync.write(new PNG({ width: 1, height: 1 }));
/** A picture of that many bytes. */
const picture = (bytes: number): Buffer => Buffer.concat([head, Buffer.alloc(bytes - head.length)]);

async function upload(bytes: number): Promise<number> {
  const body = new FormData();
  body.set('file', new Blob([Uint8Array.from(picture(bytes))]), 'a.png');
  const reply = await fetch(`${idp.host}/api/v2/upload`, { method: 'POST', body });
  return ((await reply.json()) as { code: number }).code;
}

async function keptBytes(): Promise<number> {
  const answer = await idp.pool.query<{ bytes: number }>(
    'select coalesce(sum(length(bytes)), 0)::float8 as bytes from identity.provider_upload_part',
  );
  return answer.rows[0]?.bytes ?? 0;
}

test('[picture-flood-1] one address cannot fill the disk with unused pictures', async () => {
  expect(await upload(1_000)).toBe(200);
  // As if it had sent all but one picture of what it may.
  await idp.pool.query('update identity.provider_upload set size_bytes = $1', [
    uploadLimits.addressBytes - MAX_PICTURE_BYTES - 1_000,
  ]);
  expect(await upload(MAX_PICTURE_BYTES)).toBe(200);
  const before = await keptBytes();
  expect(await upload(1_000)).toBe(TOO_MANY);
  expect(await keptBytes()).toBe(before);
  idp.clock.advance(25 * 60 * MINUTE_MS);
  await createUploads(idp.context).deleteExpired();
  expect(await keptBytes()).toBe(0);
  expect(await upload(1_000)).toBe(200);
});

const KIB = 1_024;
const limits = {
  addressBytes: 20 * KIB,
  bytes: 100 * KIB,
  leastBytes: KIB,
  safeMs: 10 * MINUTE_MS,
};

interface Sent {
  readonly from: number;
  readonly bytes?: number;
}

const save = ({ from, bytes = 10 * KIB }: Sent) =>
  createUploads(idp.context, limits).save({
    folder: 'avatar',
    bytes: (async function* () {
      yield picture(bytes);
    })(),
    address: `192.0.2.${from}`,
    mostBytes: bytes,
  });
const isKept = async (id: string): Promise<boolean> =>
  (await createUploads(idp.context).open('avatar', id)) !== undefined;
const refused = { refusal: { code: TOO_MANY } };

test('[picture-flood-2] many addresses cannot fill the disk either, even concurrently, and other users can still upload', async () => {
  await idp.pool.query('delete from identity.provider_upload');
  const worn = await save({ from: 1 });
  const photo = createUploads(idp.context).urlOf(worn);
  await idp.makeUser({ email: 'ada@example.com', profile: { photo } });
  const unworn = await save({ from: 1 });
  const flood = await Promise.allSettled(
    Array.from({ length: 30 }, (_, each) => save({ from: 10 + each })),
  );
  expect(flood.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  await expect(save({ from: 2 })).rejects.toMatchObject(refused);
  idp.clock.advance(limits.safeMs + 1);
  const later = await save({ from: 2 });
  expect(await keptBytes()).toBeLessThanOrEqual(limits.bytes);
  const kept = await Promise.all([worn, unworn, later].map(({ id }) => isKept(id)));
  expect(kept).toEqual([true, false, true]);
});

test('a thousand tiny pictures from one address count by their storage cost, not their bytes', async () => {
  await idp.pool.query('delete from identity.provider_upload');
  for (let each = 0; each < 20; each += 1) await save({ from: 1, bytes: 100 });
  await expect(save({ from: 1, bytes: 100 })).rejects.toMatchObject(refused);
  await expect(save({ from: 2, bytes: 100 })).resolves.toMatchObject({ sizeBytes: 100 });
});
