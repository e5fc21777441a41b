import { createServer } from 'node:http';
import { AuthenticationClient } from 'authing-js-sdk';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  associateFaceByBlob,
  createIdentityClient,
  loginByEmail,
  uploadFacePhoto,
  verifyFace,
} from '../../../identity-client/src/index.ts';
import { one, other, photoOf } from './support/face-photos.ts';
import { isLeftOut } from './support/is-left-out.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';

const PASSWORD = 'Correct horse 1';
/** The models are loaded first, on a machine that may have more to do. */
const TIMEOUT_MS = 100_000;
let idp: OpenProvider;
let photos: AsyncDisposable & { readonly origin: string };

beforeAll(async () => {
  photos = await servePhotos();
  idp = await openProvider({ limits: 'off', photoOrigins: [photos.origin] });
});
afterAll(async () => {
  await idp[Symbol.asyncDispose]();
  await photos[Symbol.asyncDispose]();
});

const blobOf = (bytes: Uint8Array): Blob => new Blob([Uint8Array.from(bytes)]);

/** A client of ours, signed in. */
async function clientOf(email: string) {
  await idp.makeUser({ email, password: PASSWORD });
  const client = createIdentityClient({ appId: idp.appId, appHost: idp.host, timeout: TIMEOUT_MS });
  await loginByEmail(client, { email, password: PASSWORD });
  return client;
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    (error: unknown) => error as { code: number; data: { mfaToken: string } },
  );

describe.skipIf(isLeftOut('face'))('faces as a second step', () => {
  it('the same person signs in with another photo, a different person does not, and no photo is stored', async () => {
    const email = 'ada@example.com';
    const client = await clientOf(email);
    await associateFaceByBlob(client, {
      baseFace: blobOf(await photoOf(one)),
      compareFace: blobOf(await photoOf(one, 1.15)),
    });
    const refused = await refusal(loginByEmail(client, { email, password: PASSWORD }));
    expect(refused).toMatchObject({
      code: 1636,
      data: { faceMfaEnabled: true, totpMfaEnabled: false },
    });
    const { mfaToken } = refused.data;
    const wrong = await uploadFacePhoto(client, blobOf(await photoOf(other)));
    expect(await refusal(verifyFace(client, { photo: wrong, mfaToken }))).toMatchObject({
      code: 2607,
    });
    const photo = await uploadFacePhoto(client, blobOf(await photoOf(one, 0.8)));
    expect(await verifyFace(client, { photo, mfaToken })).toMatchObject({ email });
    expect(await refusal(verifyFace(client, { photo, mfaToken }))).toMatchObject({ code: 2401 });
    const kept = await idp.pool.query('select id from identity.provider_upload');
    expect(kept.rows).toEqual([{ id: wrong }]);
  }, 120_000);

  it('two people, no person, and no photo are distinguished', async () => {
    const client = await clientOf('grace@example.com');
    const blank = PNG.sync.write(new PNG({ width: 400, height: 400 }));
    const torn = (await photoOf(one)).subarray(0, 2_000);
    const several = await photoOf(undefined);
    const cases = [
      [blank, 2605],
      [several, 2606],
      [torn, 2604],
    ] as const;
    for (const [bytes, code] of cases) {
      const refused = refusal(associateFaceByBlob(client, { baseFace: blobOf(bytes) }));
      expect(await refused).toMatchObject({ code });
    }
    const differing = associateFaceByBlob(client, {
      baseFace: blobOf(await photoOf(one)),
      compareFace: blobOf(await photoOf(other)),
    });
    expect(await refusal(differing)).toMatchObject({ code: 2607 });
    expect(idp.failures).toEqual([]);
  }, 120_000);

  it('[idp-face-3] the unchanged public package adds a face by URL, from a listed origin', async () => {
    await idp.makeUser({ email: 'hopper@example.com', password: PASSWORD });
    const client = new AuthenticationClient({
      ...{ appId: idp.appId, appHost: idp.host, timeout: TIMEOUT_MS },
    });
    await client.loginByEmail('hopper@example.com', PASSWORD);
    const bind = (baseFace: string) =>
      client.mfa.associateFaceByUrl({ baseFace, compareFace: baseFace } as never);
    for (const address of [`${idp.host}/api/v2/.well-known`, 'file:///etc/passwd', 'x']) {
      expect(await refusal(bind(address))).toMatchObject({ code: 2603 });
    }
    expect(await refusal(bind(`${photos.origin}/elsewhere`))).toMatchObject({ code: 2602 });
    expect(await bind(`${photos.origin}/face.jpg`)).toMatchObject({ email: 'hopper@example.com' });
  }, 120_000);
});

/** Serves one photo, and an address that leads elsewhere. */
async function servePhotos(): Promise<AsyncDisposable & { readonly origin: string }> {
  const face = await photoOf(one);
  const server = createServer((request, response) => {
    if (request.url === '/face.jpg') response.end(face);
    else response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
