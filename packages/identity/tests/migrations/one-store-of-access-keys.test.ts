import { Sha256 } from '@aws-crypto/sha256-js';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import { fastify } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EarlierInstallation } from './earlier-installation.ts';

let before: EarlierInstallation;

beforeEach(async () => {
  before = await EarlierInstallation.open('0022-one-store-of-codes.sql');
});
afterEach(() => before[Symbol.asyncDispose]());

async function signedListUsers(accessKeyId: string, secretAccessKey: string) {
  const body = JSON.stringify({ UserPoolId: 'us-east-1_DevicePortal' });
  const signer = new SignatureV4({
    ...{ service: 'cognito-idp', region: 'us-east-1', sha256: Sha256 },
    credentials: { accessKeyId, secretAccessKey },
  });
  const { headers } = await signer.sign(
    new HttpRequest({
      ...{ method: 'POST', hostname: 'localhost', path: '/identity', body },
      headers: {
        host: 'localhost',
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'AWSCognitoIdentityProviderService.ListUsers',
      },
    }),
  );
  return { method: 'POST', url: '/identity', headers, body, address: '127.0.0.1' };
}

it('an application can still sign calls with its key, and a revoked key stays revoked', async () => {
  const policy = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 'cognito-idp:*', Resource: '*' }],
  };
  const insert = (id: string, revokedAt: Date | null) =>
    before.pool.query(
      `insert into identity.access_key (access_key_id, name, secret_box, policy, created_at, revoked_at)
       values ($1, 'nightly', $2, $3, now(), $4)`,
      [id, before.box.seal('a secret of a program', id), policy, revokedAt],
    );
  await insert('AKIAGOESON0000000000', null);
  await insert('AKIAENDED00000000000', new Date());
  const { service } = await before.upgrade();
  const statusOf = async (id: string) =>
    (await service.handle(await signedListUsers(id, 'a secret of a program'))).status;
  expect([await statusOf('AKIAGOESON0000000000'), await statusOf('AKIAENDED00000000000')]).toEqual([200, 400]);
  expect(await service.accessKeys.listAccessKeys()).toHaveLength(2);
});

it('an application can still get tokens, with its scopes and until its key expires', async () => {
  await before.pool.query(
    `insert into identity.provider_application (app_id, user_pool_id, name, secret_box, created_at, modified_at)
     values ('app-1', 'pool-1', 'App', $1, now(), now())`,
    [before.box.seal('a secret of the application', 'app-1')],
  );
  const insert = (id: string, disabledAt: Date | null) =>
    before.pool.query(
      `insert into identity.provider_access_key
         (access_key_id, app_id, name, secret_hash, scopes, created_at, disabled_at, lease, expires_at)
       values ($1, 'app-1', 'nightly', $2, '{email}', now(), $3, $4, $5)`,
      [
        id,
        before.hash('provider-access-key', id, 'a secret of a program'),
        disabledAt,
        ...(id === 'leased' ? ['lease-1', new Date(Date.now() + 3_600_000)] : [null, null]),
      ],
    );
  await insert('goes-on', null);
  await insert('ended', new Date());
  await insert('leased', null);
  const { provider } = await before.upgrade();
  await using app = fastify();
  await app.register(provider.plugin, { prefix: '/idp' });
  const ask = async (id: string) => {
    const reply = await app.inject({
      ...{ method: 'POST', url: '/idp/oidc/token', headers: { host: 'localhost:8080' } },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        ...{ grant_type: 'client_credentials', scope: 'email' },
        ...{ client_id: id, client_secret: 'a secret of a program' },
      }).toString(),
    });
    return reply.statusCode;
  };
  // Nobody says here that a lease is in force.
  expect([await ask('goes-on'), await ask('ended'), await ask('leased')]).toEqual([200, 401, 401]);
  const keys = await provider.administration.accessKeys.list({ after: undefined, limit: 10 });
  expect(
    keys.map(({ accessKeyId, ended, name, scopes }) => ({ accessKeyId, ended, name, scopes })),
  ).toEqual(
    expect.arrayContaining([
      { accessKeyId: 'goes-on', ended: false, name: 'nightly', scopes: ['email'] },
      { accessKeyId: 'leased', ended: true, name: 'nightly', scopes: ['email'] },
    ]),
  );
});
