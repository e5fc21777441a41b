import { ListUsersCommand } from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccessKey } from '../../src/oidc/access-keys.ts';
import { startIdentityServer, type IdentityServer } from '../support/identity-server.ts';
import { newAccessKey, signedPoolClient } from '../support/signed-clients.ts';
import { openProvider, type OpenProvider } from '../provider/support/open-provider.ts';

let server: IdentityServer;
let idp: OpenProvider;

beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
  idp = await openProvider({ limits: 'off' }, { pool: server.pool, sealingKey: server.sealingKey });
});
afterAll(async () => {
  await idp[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const listUsers = (credentials: { accessKeyId: string; secretAccessKey: string }) =>
  signedPoolClient(server, credentials).send(
    new ListUsersCommand({ UserPoolId: server.service.settings.userPoolId }),
  );

async function askForToken(id: string, secret: string): Promise<Record<string, unknown>> {
  const reply = await fetch(`${idp.host}/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    }),
  });
  return { status: reply.status, ...((await reply.json()) as object) };
}

it('a key that signs calls to the user pool gets no token of the provider', async () => {
  const key = await newAccessKey(server);
  await expect(listUsers(key)).resolves.toBeDefined();
  expect(await askForToken(key.accessKeyId, key.secretAccessKey)).toMatchObject({
    error: 'invalid_client',
  });
});

it('a key of an application cannot administer the user pool', async () => {
  const key = await createAccessKey(idp.context, { appId: idp.appId, scopes: [] });
  expect(await askForToken(key.accessKey, key.accessSecret)).toMatchObject({ status: 200 });
  await expect(
    listUsers({ accessKeyId: key.accessKey, secretAccessKey: key.accessSecret }),
  ).rejects.toMatchObject({ name: 'IncompleteSignatureException' });
  const accessKeyId = 'AKIAOFANAPPLICATION0';
  await server.pool.query(
    'update identity.access_key set access_key_id = $2 where access_key_id = $1',
    [key.accessKey, accessKeyId],
  );
  await expect(listUsers({ accessKeyId, secretAccessKey: key.accessSecret })).rejects.toMatchObject(
    { name: 'UnrecognizedClientException' },
  );
});

it('neither administration can revoke keys of the other', async () => {
  const signs = await newAccessKey(server);
  const gets = await createAccessKey(idp.context, { appId: idp.appId, scopes: [] });
  const origin = { actor: { kind: 'server', id: undefined, name: 'test' } } as const;
  const from = { ...origin, address: undefined, requestId: undefined };
  const { accessKeys } = idp.provider.administration;
  await expect(accessKeys.revoke(signs.accessKeyId, from)).rejects.toMatchObject({
    errorName: 'notFound',
  });
  await expect(server.service.accessKeys.revokeAccessKey(gets.accessKey)).rejects.toMatchObject({
    errorName: 'notFound',
  });
  await expect(listUsers(signs)).resolves.toBeDefined();
  expect(await askForToken(gets.accessKey, gets.accessSecret)).toMatchObject({ status: 200 });
});

it('no row of the table is a key for both uses', async () => {
  const { accessKeyId } = await newAccessKey(server);
  for (const change of ["use = 'client-credentials'", "secret_hash = 'hash'", "app_id = 'app-1'"]) {
    await expect(
      server.pool.query(`update identity.access_key set ${change} where access_key_id = $1`, [
        accessKeyId,
      ]),
    ).rejects.toThrow('access_key_has_what_its_use_needs');
  }
});
