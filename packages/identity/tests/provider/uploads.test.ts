import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createIdentityClient,
  uploadFacePhoto,
  uploadPhoto,
} from '../../../identity-client/src/index.ts';
import { createUploads } from '../../src/uploads/uploads.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';

let idp: OpenProvider;

beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
});
afterAll(() => idp[Symbol.asyncDispose]());

const png = (): Uint8Array => PNG.sync.write(new PNG({ width: 8, height: 8 }));

async function upload(query: string, file: Uint8Array | string, field = 'file') {
  const body = new FormData();
  body.set(field, new Blob([Uint8Array.from(Buffer.from(file))]), '../../etc/passwd.png');
  const reply = await fetch(`${idp.host}/api/v2/upload?${query}`, { method: 'POST', body });
  return (await reply.json()) as { code: number; data?: { key: string; url: string } };
}

async function countKept(): Promise<number> {
  const answer = await idp.pool.query('select from identity.provider_upload');
  return answer.rowCount ?? 0;
}

describe('uploads', () => {
  it('[idp-uploads-1] a picture that our client uploads is public, and is only a picture', async () => {
    const client = createIdentityClient({ appId: idp.appId, appHost: idp.host });
    const picture = png();
    const reply = await fetch(await uploadPhoto(client, new Blob([Uint8Array.from(picture)])));
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(Buffer.from(picture));
    expect(reply.headers.get('content-type')).toBe('image/png');
    expect(reply.headers.get('content-security-policy')).toContain('sandbox');
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('an avatar in use is kept, and an unused one is deleted after a day', async () => {
    const worn = await upload('folder=avatar', png());
    const other = await upload('folder=avatar', png());
    await idp.makeUser({ email: 'grace@example.com', profile: { photo: worn.data?.url ?? '' } });
    idp.clock.advance(25 * 3_600_000);
    await createUploads(idp.context).deleteExpired();
    expect((await fetch(worn.data?.url ?? '')).status).toBe(200);
    expect((await fetch(other.data?.url ?? '')).status).toBe(404);
  });

  it('[idp-uploads-3] a face photo has a signed URL that expires, and is stored sealed', async () => {
    const client = createIdentityClient({ appId: idp.appId, appHost: idp.host });
    const key = await uploadFacePhoto(client, new Blob([Uint8Array.from(png())]));
    const bare = `${idp.host}/uploads/face-photo/${key}`;
    expect((await fetch(bare)).status).toBe(404);
    expect((await fetch(`${idp.host}/uploads/avatar/${key}`)).status).toBe(404);
    const { data } = await upload('folder=face-photo&private=true', png());
    expect((await fetch(data?.url ?? '')).status).toBe(200);
    const changed = (data?.url ?? '').replace(/signature=./, (start) =>
      start.endsWith('A') ? 'signature=B' : 'signature=A',
    );
    expect((await fetch(changed)).status).toBe(404);
    const parts = await idp.pool.query<{ bytes: Buffer }>(
      'select bytes from identity.provider_upload_part where upload_id = $1',
      [key],
    );
    expect(parts.rows[0]?.bytes.includes('PNG')).toBe(false);
    idp.clock.advance(10 * 60_000 + 1);
    expect((await fetch(data?.url ?? '')).status).toBe(404);
  });

  it('[idp-uploads-4] five megabytes are accepted, and one byte more is rejected and not stored', async () => {
    const most = Buffer.alloc(5 * 1024 * 1024, 7);
    Buffer.from(png()).copy(most);
    const taken = await upload('folder=avatar', most);
    const reply = await fetch(taken.data?.url ?? '');
    expect(Buffer.from(await reply.arrayBuffer()).equals(most)).toBe(true);
    const before = await countKept();
    const refused = await upload('folder=avatar', Buffer.concat([most, Buffer.alloc(1)]));
    expect(refused.code).toBe(2502);
    expect(await countKept()).toBe(before);
  });

  it('[idp-uploads-5] rejects scripts, other formats, and manipulated folders and fields', async () => {
    const before = await countKept();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    expect((await upload('folder=avatar', svg)).code).toBe(2503);
    expect((await upload('folder=avatar', '<html>')).code).toBe(2503);
    expect((await upload('folder=avatar', '')).code).toBe(2503);
    expect((await upload('folder=face-photo', 'GIF89a and more of it')).code).toBe(2503);
    expect((await upload('folder=../../etc', png())).code).toBe(2504);
    expect((await upload('folder=avatar', png(), 'other')).code).toBe(2501);
    const plain = await fetch(`${idp.host}/api/v2/upload?folder=avatar`, { method: 'POST' });
    expect(await plain.json()).toMatchObject({ code: 2501 });
    for (const id of ['..%2f..%2fetc%2fpasswd', '%00', 'x']) {
      const reply = await fetch(`${idp.host}/uploads/avatar/${id}`);
      expect(await reply.json()).toMatchObject({ code: 400 });
    }
    expect(await countKept()).toBe(before);
    expect(idp.failures).toEqual([]);
  });

  it('an interrupted upload leaves no data', async () => {
    const before = await countKept();
    const stop = new AbortController();
    const boundary = 'b';
    const body = new ReadableStream<Uint8Array>({
      async pull(stream) {
        const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
        stream.enqueue(Buffer.concat([Buffer.from(head), png(), Buffer.alloc(600_000)]));
        await new Promise((resolve) => setTimeout(resolve, 300));
        stop.abort();
        // Otherwise it is read on after the test.
        stream.error(stop.signal.reason);
      },
    });
    const broken = fetch(`${idp.host}/api/v2/upload?folder=avatar`, {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body,
      signal: stop.signal,
      duplex: 'half',
    } as RequestInit);
    await expect(broken).rejects.toThrow('aborted');
    await expect.poll(countKept, { timeout: 10_000 }).toBe(before);
  });
});
