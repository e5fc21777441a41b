import { randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSamlCertificate } from '../../src/saml/saml-certificate.ts';
import {
  BASE_URL,
  callService,
  EarlierInstallation,
  ISSUER,
  makeEarlierKey,
  type EarlierKey,
} from './earlier-installation.ts';

const SUB = randomUUID();
let before: EarlierInstallation;

beforeEach(async () => {
  before = await EarlierInstallation.open('0020-provider-upload-limits.sql');
  await before.pool.query(
    `insert into identity.pool_user (sub, username, created_at, modified_at) values ($1, 'anna', now(), now())`,
    [SUB],
  );
});
afterEach(() => before[Symbol.asyncDispose]());

async function insertPoolKey(use: 'id' | 'access', isClear = false): Promise<EarlierKey> {
  const key = await makeEarlierKey(before.sealingKey);
  const { kid, pem, publicJwk, sealed } = key;
  await before.pool.query(
    `insert into identity.user_pool_key (kid, token_use, private_key, sealed_key, sealing_key_id, public_jwk,
       created_at, signs_from) values ($1, $2, $3, $4, $5, $6, now(), now())`,
    isClear
      ? [kid, use, pem, null, null, publicJwk]
      : [kid, use, null, sealed.box, sealed.keyId, publicJwk],
  );
  return key;
}

async function insertProviderKey(purpose: 'signing' | 'saml' | 'password-rsa'): Promise<EarlierKey> {
  const key = await makeEarlierKey(before.sealingKey);
  const { kid, publicPem, sealed } = key;
  await before.pool.query(
    `insert into identity.provider_key (kid, purpose, sealed_key, sealing_key_id, public_key, created_at,
       signs_from, longest_token_seconds) values ($1, $2, $3, $4, $5, now(), now(), 86400)`,
    [kid, purpose, sealed.box, sealed.keyId, publicPem],
  );
  return key;
}

const accessClaims = (): JWTPayload => ({
  iss: ISSUER,
  sub: SUB,
  token_use: 'access',
  origin_jti: randomUUID(),
  client_id: 'deviceportalweb',
  scope: 'aws.cognito.signin.user.admin',
});

describe('keys of a release with a table for each protocol', () => {
  it('earlier tokens of the user pool are valid, and its key still signs', async () => {
    const [id, access] = [await insertPoolKey('id'), await insertPoolKey('access', true)];
    const AccessToken = await access.sign(accessClaims());
    const { service } = await before.upgrade();
    expect(await callService(service, 'GetUser', { AccessToken })).toMatchObject({
      status: 200,
      body: { Username: 'anna' },
    });
    const { keys } = await service.keySet();
    expect(keys).toHaveLength(2);
    expect(keys).toEqual(expect.arrayContaining([id.publicJwk, access.publicJwk]));
    const { rows } = await before.pool.query('select from identity.key_pair where clear_key is not null');
    expect(rows).toEqual([]);
  });

  it('a sign-in at the provider continues with its token', async () => {
    const key = await insertProviderKey('signing');
    await before.pool.query(`
      insert into identity.provider_user (id, user_pool_id, created_at, modified_at) values ('ada', 'pool-1', now(), now());
      insert into identity.provider_session (id, user_id, app_id, method, created_at, used_at, expires_at)
      values ('session-1', 'ada', 'app-1', 'password', now(), now(), now() + interval '1 day')`);
    const token = await key.sign({
      iss: `${BASE_URL}/oidc`,
      aud: 'app-1',
      sub: 'ada',
      sid: 'session-1',
      data: { id: 'ada' },
    });
    const { provider } = await before.upgrade();
    expect(await provider.context.tokens.verify(token)).toMatchObject({ userId: 'ada' });
    expect((await provider.keySet()).keys).toEqual([key.publicJwk]);
  });

  it('service providers keep their certificate, and clients the key for passwords', async () => {
    const [saml, password] = [await insertProviderKey('saml'), await insertProviderKey('password-rsa')];
    await before.pool.query(
      `insert into identity.provider_saml_certificate (kid, certificate, created_at) values ($1, 'a certificate', now())`,
      [saml.kid],
    );
    const { context } = (await before.upgrade()).provider;
    expect(await loadSamlCertificate(context)).toBe('a certificate');
    expect((await context.keys.saml()).privateKey.equals(saml.privateKey)).toBe(true);
    expect(context.keys.passwordRsa.publicPem).toBe(password.publicPem);
  });
});
