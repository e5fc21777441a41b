import { randomBytes } from 'node:crypto';
import {
  GetTokensFromRefreshTokenCommand,
  GetUserCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { JwtVerifier } from 'aws-jwt-verify';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { createLocalJWKSet, createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIdentityService, type IdentityService } from '../src/cognito/identity-service.ts';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { anna, clientId, signIn, userPoolClient, type Tokens } from './support/wire-clients.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let server: IdentityServer;

beforeEach(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
  await server.service.users.createUser(anna);
});
afterEach(() => server[Symbol.asyncDispose]());

/** Another server process on the same database. */
function secondService(sealingKey = server.sealingKey): Promise<IdentityService> {
  return createIdentityService({
    pool: server.pool,
    sealingKey,
    clock: server.clock,
    messenger: { send: async () => {} },
    settings: { issuer: server.service.settings.issuer },
  });
}

const kidsOf = async (service: IdentityService) =>
  (await service.keySet()).keys.map(({ kid }) => kid).toSorted();
const kidOf = (token: string) => decodeProtectedHeader(token).kid;
const refresh = (tokens: Tokens) =>
  userPoolClient(server).send(
    new GetTokensFromRefreshTokenCommand({
      ClientId: clientId(server),
      RefreshToken: tokens.RefreshToken,
    }),
  );

async function verify(token: string, service: IdentityService): Promise<void> {
  const keySet = createLocalJWKSet({ keys: [...(await service.keySet()).keys] });
  await jwtVerify(token, keySet, {
    issuer: server.service.settings.issuer,
    currentDate: new Date(server.clock.now()),
  });
}

describe('rotation of signing keys', () => {
  it('a new key is published before it signs, and the old one until its last token has expired', async () => {
    const before = await signIn(server, anna);
    const made = await server.service.rotateKeys();
    server.clock.advance(31_000);
    expect(made.map(({ use }) => use)).toEqual(['id', 'access']);
    expect(await kidsOf(server.service)).toHaveLength(4);
    expect(kidOf((await signIn(server, anna)).IdToken)).toBe(kidOf(before.IdToken));

    // The clock runs on while a busy machine works: the margins are wide.
    server.clock.advance(10 * MINUTE_MS - 61_000);
    const last = await signIn(server, anna);
    expect(kidOf(last.IdToken)).toBe(kidOf(before.IdToken));
    server.clock.advance(31_000);
    const after = await signIn(server, anna);
    expect([kidOf(after.IdToken), kidOf(after.AccessToken)]).toEqual(made.map(({ kid }) => kid));

    server.clock.advance(HOUR_MS - 61_000);
    await verify(last.IdToken, server.service);
    await expect(
      userPoolClient(server).send(new GetUserCommand({ AccessToken: last.AccessToken })),
    ).resolves.toBeDefined();
    server.clock.advance(6 * MINUTE_MS);
    expect(await kidsOf(server.service)).toEqual(made.map(({ kid }) => kid).toSorted());
    await server.service.maintainKeys();
    const rows = await server.pool.query('select kid from identity.key_pair');
    expect(rows.rowCount).toBe(2);
  });

  it('a rotation does not sign users out: earlier refresh tokens get valid tokens', async () => {
    const tokens = await signIn(server, anna);
    await server.service.rotateKeys();
    server.clock.advance(2 * HOUR_MS);
    const renewed = (await refresh(tokens)).AuthenticationResult;
    await verify(renewed?.IdToken ?? '', server.service);
    expect(kidOf(renewed?.IdToken ?? '')).not.toBe(kidOf(tokens.IdToken));
  });

  it('several servers rotate once and agree, including one that missed it', async () => {
    const [second, third] = [await secondService(), await secondService()];
    await kidsOf(third);
    const made = await Promise.all([server.service, second, third].map((one) => one.rotateKeys()));
    expect(made.flat()).toHaveLength(2);
    server.clock.advance(10 * MINUTE_MS + 1_000);
    const tokens = await signIn(server, anna);
    for (const service of [second, third]) {
      expect(await service.keySet()).toEqual(await server.service.keySet());
      await verify(tokens.IdToken, service);
    }
  });

  it('[keys-4] keys rotate automatically at the configured age, and not before', async () => {
    expect(await server.service.maintainKeys()).toEqual([]);
    server.clock.advance(90 * 24 * HOUR_MS - MINUTE_MS);
    expect(await server.service.maintainKeys()).toEqual([]);
    server.clock.advance(2 * MINUTE_MS);
    expect(await server.service.maintainKeys()).toHaveLength(2);
    expect(await server.service.maintainKeys()).toEqual([]);
  });

  it('under load and repeated rotations, every issued token verifies on every server', async () => {
    const other = await secondService();
    const tokens = await signIn(server, anna);
    const kids = new Set<string | undefined>();
    let isOver = false;
    const work = async (): Promise<number> => {
      let done = 0;
      while (!isOver) {
        const renewed = (await refresh(tokens)).AuthenticationResult;
        await verify(renewed?.IdToken ?? '', other);
        await userPoolClient(server).send(
          new GetUserCommand({ AccessToken: renewed?.AccessToken }),
        );
        kids.add(kidOf(renewed?.IdToken ?? ''));
        done += 1;
      }
      return done;
    };
    const rotate = async (): Promise<void> => {
      for (let round = 0; round < 4; round += 1) {
        await other.rotateKeys();
        for (let step = 0; step < 6; step += 1) {
          await new Promise((resolve) => setTimeout(resolve, 40));
          server.clock.advance(2 * MINUTE_MS);
        }
      }
      isOver = true;
    };
    const [, ...counts] = await Promise.all([rotate(), work(), work(), work(), work()]);
    expect(kids.size).toBe(5);
    expect(Math.min(...counts)).toBeGreaterThan(4);
    expect(server.failures).toEqual([]);
  });

  it('[keys-6] jose and aws-jwt-verify accept later tokens with key sets from before the rotation', async () => {
    const { issuer } = server.service.settings;
    const url = new URL(`${issuer}/.well-known/jwks.json`);
    const remote = createRemoteJWKSet(url, { cooldownDuration: 0 });
    const fetcher = { fetch: async (uri: string) => (await fetch(uri)).arrayBuffer() };
    const verifier = JwtVerifier.create(
      { issuer, audience: clientId(server), jwksUri: url.href, graceSeconds: 3_600 },
      { jwksCache: new SimpleJwksCache({ fetcher }) },
    );
    const before = await signIn(server, anna);
    await jwtVerify(before.IdToken, remote);
    await verifier.verify(before.IdToken);
    await server.service.rotateKeys();
    server.clock.advance(11 * MINUTE_MS);
    const after = await signIn(server, anna);
    expect(kidOf(after.IdToken)).not.toBe(kidOf(before.IdToken));
    await expect(jwtVerify(after.IdToken, remote)).resolves.toBeDefined();
    await expect(verifier.verify(after.IdToken)).resolves.toBeDefined();
    await expect(verifier.verify(before.IdToken)).resolves.toBeDefined();
  });
});

describe('sealed keys', () => {
  const everything = async (): Promise<string> => {
    const texts = await Promise.all(
      ['service_key', 'key_pair'].map((table) =>
        server.pool.query<{ row: string }>(`select t::text as row from identity.${table} t`),
      ),
    );
    return texts.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n');
  };

  it('[seal-1] no key is stored unencrypted in the database', async () => {
    expect(await everything()).not.toContain('PRIVATE KEY');
    const { rows } = await server.pool.query<{ clear: number }>(
      `select (select count(secret) from identity.service_key)
            + (select count(clear_key) from identity.key_pair) as clear`,
    );
    expect(Number(rows[0]?.clear)).toBe(0);
  });

  it('with another installation key, the service does not start and changes nothing', async () => {
    const before = await everything();
    await expect(secondService(randomBytes(32))).rejects.toMatchObject({
      name: 'SealMismatchError',
    });
    expect(await everything()).toBe(before);
  });

  it('unencrypted keys of an older release are sealed at start and stay the same', async () => {
    const tokens = await signIn(server, anna);
    await leaveKeysInClear(server);
    expect(await everything()).toContain('PRIVATE KEY');
    const again = await secondService();
    expect(await everything()).not.toContain('PRIVATE KEY');
    await verify(tokens.IdToken, again);
    const reply = await again.handle({
      method: 'POST',
      url: '/identity',
      headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.GetTokensFromRefreshToken' },
      body: JSON.stringify({ ClientId: clientId(server), RefreshToken: tokens.RefreshToken }),
      address: '127.0.0.1',
    });
    expect(reply.status).toBe(200);
  });
});

/** As the release before kept them. */
async function leaveKeysInClear({ pool, sealingKey }: IdentityServer): Promise<void> {
  const { createKeySeal } = await import('../src/secrets/key-seal.ts');
  const seal = createKeySeal(sealingKey);
  const signing = await pool.query(
    'select kid as owner, sealed_key as box, sealing_key_id as "keyId" from identity.key_pair',
  );
  for (const { owner, ...sealed } of signing.rows) {
    await pool.query(
      `update identity.key_pair set clear_key = $2, sealed_key = null, sealing_key_id = null
        where kid = $1`,
      [owner, seal.open(sealed, owner)],
    );
  }
  const service = await pool.query(
    'select purpose as owner, sealed_secret as box, sealing_key_id as "keyId" from identity.service_key',
  );
  for (const { owner, ...sealed } of service.rows) {
    await pool.query(
      `update identity.service_key set secret = $2, sealed_secret = null, sealing_key_id = null
        where purpose = $1`,
      [owner, Buffer.from(seal.open(sealed, owner), 'base64')],
    );
  }
}
