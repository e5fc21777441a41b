import { Sha256 } from '@aws-crypto/sha256-js';
import { GetCredentialsForIdentityCommand, GetIdCommand } from '@aws-sdk/client-cognito-identity';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { anna, identityPoolClient, signIn } from './support/wire-clients.ts';

const HOST = 'portal.example:8443';

interface Key {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly identityId: string;
}

interface SignOptions {
  readonly expiresIn?: number;
  readonly path?: string;
  readonly service?: string;
  readonly region?: string;
  readonly atMs?: number;
  /** The form of AWS IoT: the session token is appended after signing. */
  readonly isTokenAppended?: boolean;
  readonly query?: Record<string, string>;
}

let server: IdentityServer;
let sub: string;
let key: Key;

beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
  ({ sub } = await server.service.users.createUser(anna));
  await server.service.groups.addUserToGroup(sub, 'DevicePortal_Admin');
  key = await keyOf((await signIn(server, anna)).IdToken);
});
afterAll(() => server[Symbol.asyncDispose]());

async function keyOf(idToken?: string, on = server): Promise<Key> {
  const { issuer, identityPoolId } = on.service.settings;
  const client = identityPoolClient(on);
  const Logins = idToken === undefined ? {} : { [issuer.replace('http://', '')]: idToken };
  const { IdentityId } = await client.send(
    new GetIdCommand({ IdentityPoolId: identityPoolId, Logins }),
  );
  const reply = await client.send(new GetCredentialsForIdentityCommand({ IdentityId, Logins }));
  return {
    accessKeyId: reply.Credentials?.AccessKeyId ?? '',
    secretAccessKey: reply.Credentials?.SecretKey ?? '',
    sessionToken: reply.Credentials?.SessionToken ?? '',
    identityId: reply.IdentityId ?? '',
  };
}

/** Path and query of a URL signed with the SDK's own signer. */
async function signUrl(signKey: Key, options: SignOptions = {}): Promise<string> {
  const { accessKeyId, secretAccessKey, sessionToken } = signKey;
  const isAppended = options.isTokenAppended === true;
  const signer = new SignatureV4({
    service: options.service ?? 'iotdevicegateway',
    region: options.region ?? 'us-east-1',
    sha256: Sha256,
    credentials: { accessKeyId, secretAccessKey, ...(!isAppended && { sessionToken }) },
  });
  const path = options.path ?? '/mqtt';
  const signed = await signer.presign(
    new HttpRequest({
      method: 'GET',
      protocol: 'wss:',
      hostname: HOST,
      path,
      query: { ...options.query },
      headers: { host: HOST },
    }),
    {
      signingDate: new Date(options.atMs ?? server.clock.now()),
      expiresIn: options.expiresIn ?? 3_600,
    },
  );
  const query = { ...signed.query, ...(isAppended && { 'X-Amz-Security-Token': sessionToken }) };
  const text = Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
  return `${path}?${text}`;
}

const verify = (url: string, host: string = HOST) => server.service.verifySignedUrl({ url, host });
const faultOf = (url: string, host: string = HOST) =>
  verify(url, host).then(
    () => 'accepted',
    (error: unknown) => (error as { fault?: string }).fault ?? error,
  );

describe('signed URL', () => {
  it('opens for the user whose credentials signed it, with the current groups', async () => {
    const viewer = await verify(await signUrl(key));
    expect(viewer).toMatchObject({
      identityId: key.identityId,
      username: 'anna',
      sub,
      groups: ['DevicePortal_Admin'],
    });
    expect(viewer.expiresAt.getTime() - server.clock.now()).toBeGreaterThan(59 * 60_000);
    await server.service.groups.removeUserFromGroup(sub, 'DevicePortal_Admin');
    expect((await verify(await signUrl(key))).groups).toEqual([]);
    await server.service.groups.addUserToGroup(sub, 'DevicePortal_Admin');
  });

  it('the session token can be signed, or appended after signing', async () => {
    expect(await faultOf(await signUrl(key, { isTokenAppended: true }))).toBe('accepted');
  });

  it('further parameters are covered by the signature', async () => {
    const url = await signUrl(key, { query: { client: 'tab 1/ü' } });
    expect(await faultOf(url)).toBe('accepted');
    expect(await faultOf(url.replace('tab', 'tub'))).toBe('signatureMismatch');
    expect(await faultOf(`${url}&more=1`)).toBe('signatureMismatch');
    expect(await faultOf(`${url}&__proto__=1`)).toBe('signatureMismatch');
  });

  it('a URL with any change is rejected', async () => {
    const url = await signUrl(key);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: url.length - 1 }),
        fc.constantFrom(...'aZ09-_=&%/.'),
        async (index, character) => {
          const changed = `${url.slice(0, index)}${character}${url.slice(index + 1)}`;
          // Percent-encoding knows no case: %2f and %2F are the same text.
          fc.pre(decodeURIComponentOrSelf(changed) !== decodeURIComponentOrSelf(url));
          expect(await faultOf(changed)).not.toBe('accepted');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('any other text is rejected without an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.webQueryParameters(), fc.string(), async (query, host) => {
        expect(await faultOf(`/mqtt?${query}`, host)).toBe('malformed');
      }),
    );
    expect(await faultOf('/mqtt')).toBe('malformed');
    const noHost = { url: await signUrl(key), host: undefined };
    await expect(server.service.verifySignedUrl(noHost)).rejects.toMatchObject({
      fault: 'malformed',
    });
  });

  it('host, path, service, and region are bound', async () => {
    expect(await faultOf(await signUrl(key), 'other.example')).toBe('signatureMismatch');
    expect(await faultOf(await signUrl(key, { path: '/mqtt2' }))).toBe('malformed');
    expect(await faultOf(await signUrl(key, { service: 'execute-api' }))).toBe('malformed');
    expect(await faultOf(await signUrl(key, { region: 'eu-west-1' }))).toBe('malformed');
  });

  it('rejects URLs that are expired, dated in the future, or valid for more than a week', async () => {
    const now = server.clock.now();
    expect(await faultOf(await signUrl(key, { atMs: now - 60_000, expiresIn: 60 }))).toBe(
      'expired',
    );
    expect(await faultOf(await signUrl(key, { atMs: now + 240_000 }))).toBe('accepted');
    expect(await faultOf(await signUrl(key, { atMs: now + 360_000 }))).toBe('notYetValid');
    expect(await faultOf(await signUrl(key, { expiresIn: 604_800 }))).toBe('accepted');
    const tooLong = (await signUrl(key)).replace('X-Amz-Expires=3600', 'X-Amz-Expires=604801');
    await expect(verify(tooLong)).rejects.toThrow('at most 604800 s');
  });

  it('an unknown key and the session token of other credentials are rejected', async () => {
    const guest = await keyOf();
    expect(await faultOf(await signUrl({ ...key, accessKeyId: 'ASIAAAAAAAAAAAAAAAAA' }))).toBe(
      'unknownKey',
    );
    expect(await faultOf(await signUrl({ ...key, sessionToken: guest.sessionToken }))).toBe(
      'signatureMismatch',
    );
    expect(await faultOf(await signUrl({ ...key, secretAccessKey: guest.secretAccessKey }))).toBe(
      'signatureMismatch',
    );
  });

  it('guests, disabled users, and signed-out users are rejected', async () => {
    expect(await faultOf(await signUrl(await keyOf()))).toBe('guest');
    const { users } = server.service;
    const bob = await users.createUser({ username: 'bob', email: 'bob@corp.example' });
    const person = { username: 'bob', email: 'bob@corp.example' };
    const bobKey = await keyOf((await signIn(server, person)).IdToken);
    await users.signOutUser(bob.sub);
    expect(await faultOf(await signUrl(bobKey))).toBe('signedOut');
    const again = await keyOf((await signIn(server, person)).IdToken);
    expect(await faultOf(await signUrl(again))).toBe('accepted');
    await users.disableUser(bob.sub);
    expect(await faultOf(await signUrl(again))).toBe('userDisabled');
  });

  it('rejects URLs whose credentials have expired', async () => {
    await using aging = await startIdentityServer({ settings: { limits: 'off' } });
    await aging.service.users.createUser(anna);
    const agingKey = await keyOf((await signIn(aging, anna)).IdToken, aging);
    aging.clock.advance(3_600_000);
    const url = await signUrl(agingKey, { atMs: aging.clock.now() });
    await expect(aging.service.verifySignedUrl({ url, host: HOST })).rejects.toMatchObject({
      fault: 'credentialsExpired',
    });
  });
});

function decodeURIComponentOrSelf(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
