import { randomBytes } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSamlCertificate } from '../../src/saml/saml-certificate.ts';
import { createProvider, type Provider } from '../../src/provider/provider.ts';
import type { ProviderUser } from '../../src/accounts/provider-user.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SESSION_SECONDS = 2 * 3_600;
const EXCHANGE = 'http://authing.cn/oidc/grant_type/authing_token';

let idp: OpenProvider;
let user: ProviderUser;

beforeEach(async () => {
  idp = await openProvider({ limits: 'off', sessionSeconds: SESSION_SECONDS });
  user = await idp.makeUser({ email: 'ada@example.com' });
});
afterEach(() => idp[Symbol.asyncDispose]());

/** Another server process on the same database, started now. */
function otherServer(sealingKey = idp.sealingKey): Promise<Provider> {
  const { clock, pool, provider } = idp;
  return createProvider({
    pool,
    sealingKey,
    clock,
    messenger: { send: async () => {} },
    record: (event) => void idp.events.push(event),
    settings: { ...provider.settings, application: { ...provider.settings.application } },
  });
}

/** The token of a new sign-in. */
async function userToken({ context } = idp.provider): Promise<string> {
  const session = { appId: idp.appId, method: 'test', address: '127.0.0.1' };
  return (await context.tokens.startSession(user, session)).token;
}

/** An id token, by oidc-provider. */
async function idToken(): Promise<string> {
  const answer = await fetch(`${idp.host}/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: EXCHANGE,
      token: await userToken(),
      client_id: idp.appId,
      client_secret: 'a secret of the application',
    }),
  });
  return ((await answer.json()) as { id_token: string }).id_token;
}

const kidOf = (token: string): string | undefined => decodeProtectedHeader(token).kid;

async function publishedKids(): Promise<(string | undefined)[]> {
  const answer = await fetch(`${idp.host}/oidc/.well-known/jwks.json`);
  const { keys } = (await answer.json()) as { keys: { kid?: string; d?: string }[] };
  expect(keys.every((key) => !('d' in key))).toBe(true);
  return keys.map(({ kid }) => kid);
}

/** As any service checks it, with the keys that are published now. */
async function verify(token: string): Promise<void> {
  const keySet = createRemoteJWKSet(new URL(`${idp.host}/oidc/.well-known/jwks.json`));
  // What is looked at is the signature: oidc-provider keeps to the clock of the machine.
  const currentDate = new Date((decodeJwt(token).iat ?? 0) * SECOND_MS);
  await jwtVerify(token, keySet, { issuer: `${idp.host}/oidc`, currentDate });
}

describe('rotation of the provider’s signing key', () => {
  it('a new key is published before it signs, for every way to issue a token, and without a restart', async () => {
    const [first] = await publishedKids();
    const before = [await userToken(), await idToken()];
    const made = await idp.provider.rotateKeys();
    idp.clock.advance(31 * SECOND_MS);
    expect(await publishedKids()).toEqual([first, made?.kid]);
    expect([kidOf(await userToken()), kidOf(await idToken())]).toEqual([first, first]);
    idp.clock.advance(10 * MINUTE_MS);
    expect(await publishedKids()).toEqual([made?.kid, first]);
    const after = [await userToken(), await idToken()];
    expect(after.map(kidOf)).toEqual([made?.kid, made?.kid]);
    for (const token of [...before, ...after]) await verify(token);
  });

  it('earlier tokens are valid until their sign-in ends, then the old key is removed', async () => {
    const token = await userToken();
    const hint = await idToken();
    const made = await idp.provider.rotateKeys();
    idp.clock.advance(20 * MINUTE_MS);
    expect(await idp.context.tokens.verify(token)).toMatchObject({ userId: user.id });
    const said = await fetch(`${idp.host}/api/v2/oidc/validate_token?id_token=${hint}`);
    expect([said.status, await said.json()]).toMatchObject([200, { sub: user.id }]);
    // Published for ten minutes, then two hours of the last sign-in, and five minutes for clocks that differ.
    idp.clock.advance(114 * MINUTE_MS);
    expect(await publishedKids()).toHaveLength(2);
    idp.clock.advance(2 * MINUTE_MS);
    expect(await publishedKids()).toEqual([made?.kid]);
    await idp.provider.maintainKeys();
    const { rows } = await idp.pool.query(
      `select kid from identity.key_pair where use = 'provider-token'`,
    );
    expect(rows).toEqual([{ kid: made?.kid }]);
  });

  it('concurrent requests of servers rotate once, and a server that starts during it continues', async () => {
    const token = await userToken();
    const second = await otherServer();
    const made = (
      await Promise.all([idp.provider, second, idp.provider].map((one) => one.rotateKeys()))
    ).filter((key) => key !== undefined);
    expect(made).toHaveLength(1);
    const third = await otherServer();
    expect(kidOf(await userToken(third))).toBe(kidOf(token));
    idp.clock.advance(10 * MINUTE_MS + SECOND_MS);
    const tokens = await Promise.all([idp.provider, second, third].map((one) => userToken(one)));
    expect(new Set(tokens.map(kidOf))).toEqual(new Set([made[0]?.kid]));
    for (const each of [...tokens, token]) {
      for (const one of [idp.provider, second, third]) {
        expect(await one.context.tokens.verify(each)).toMatchObject({ userId: user.id });
      }
    }
    expect(await third.keySet()).toEqual(await second.keySet());
  });

  it('the key rotates automatically at its age, once, and is recorded in the audit trail', async () => {
    expect(await idp.provider.maintainKeys()).toBeUndefined();
    idp.clock.advance(90 * DAY_MS - MINUTE_MS);
    expect(await idp.provider.maintainKeys()).toBeUndefined();
    expect(idp.events).toEqual([]);
    idp.clock.advance(2 * MINUTE_MS);
    const made = await idp.provider.maintainKeys();
    expect(await idp.provider.maintainKeys()).toBeUndefined();
    expect(idp.events).toMatchObject([
      { kind: 'signingKeyRotated', detail: `${made?.kid}: ${made?.signsFrom.toISOString()}` },
    ]);
  });

  it('a rotation that cannot be recorded is not executed', async () => {
    const { clock, pool, provider, sealingKey } = idp;
    const other = await createProvider({
      pool,
      sealingKey,
      clock,
      messenger: { send: async () => {} },
      writeEvent: () => Promise.reject(new Error('the trail is away')),
      settings: { ...provider.settings, application: { ...provider.settings.application } },
    });
    await expect(other.rotateKeys()).rejects.toThrow('the trail is away');
    expect((await other.keySet()).keys).toHaveLength(1);
    expect((await idp.pool.query('select from identity.key_pair')).rowCount).toBe(3);
  });

  it('every key is sealed, and another installation does not start with them', async () => {
    await idp.provider.rotateKeys();
    await idp.context.keys.saml();
    const { rows } = await idp.pool.query<{ row: string }>(
      'select encode(sealed_key, $1) as row from identity.key_pair',
      ['escape'],
    );
    expect(rows).toHaveLength(5);
    for (const { row } of rows) expect(row).not.toContain('PRIVATE KEY');
    await expect(otherServer(randomBytes(32))).rejects.toMatchObject({ name: 'SealMismatchError' });
  });

  it('the SAML certificate survives rotations, also one of an older release', async () => {
    const certificate = await loadSamlCertificate(idp.context);
    await idp.provider.rotateKeys();
    expect(await loadSamlCertificate(idp.context)).toBe(certificate);
    // As the release before left it: the signing key was the one of SAML, too.
    const [old] = await publishedKids();
    await idp.pool.query('update identity.provider_saml_certificate set kid = $1', [old]);
    await idp.pool.query(`delete from identity.key_pair where use = 'saml'`);
    const upgraded = await otherServer();
    const { privateKey } = await upgraded.context.keys.saml();
    const signing = (await upgraded.context.keys.signing.published()).find(
      ({ kid }) => kid === old,
    );
    expect(signing && privateKey.equals(signing.privateKey)).toBe(true);
    idp.clock.advance(DAY_MS);
    await upgraded.maintainKeys();
    expect(await loadSamlCertificate(upgraded.context)).toBe(certificate);
  });

  it('a token of a key that was never published is rejected, however often it is tried', async () => {
    const token = await userToken();
    const [, body = '', signature = ''] = token.split('.');
    const head = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'x' })).toString('base64url');
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect(await idp.context.tokens.verify(`${head}.${body}.${signature}`)).toBeUndefined();
    }
  });
});
