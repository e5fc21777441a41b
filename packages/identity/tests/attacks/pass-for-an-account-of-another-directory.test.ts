import { afterAll, beforeAll, expect, it } from 'vitest';
import { callPool, start } from '../support/direct-client.ts';
import { startIdentityServer, type IdentityServer } from '../support/identity-server.ts';
import { anna, signIn } from '../support/wire-clients.ts';
import { openProvider, type OpenProvider } from '../provider/support/open-provider.ts';

let server: IdentityServer;
let idp: OpenProvider;
let sub: string;

beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
  ({ sub } = await server.service.users.createUser(anna));
  idp = await openProvider({ limits: 'off' }, { pool: server.pool, sealingKey: server.sealingKey });
});
afterAll(async () => {
  await idp[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

it('registering the names of a pool user at the provider creates a separate account without access to the user', async () => {
  const taken = { username: anna.username, email: anna.email, emailVerified: true };
  const stranger = await idp.makeUser({
    ...taken,
    phone: '48123456789',
    phoneE164: '+48123456789',
  });
  const { users } = idp.context;
  expect(stranger.id).not.toBe(sub);
  expect(await users.findBy('email', anna.email)).toMatchObject({ id: stranger.id });
  expect(await users.find(sub)).toBeUndefined();
  expect((await start(server, anna.username)).ChallengeParameters).toMatchObject({
    USERNAME: anna.username,
  });
  expect(await server.service.users.getUser(sub)).toMatchObject({ sub, username: anna.username });
});

it('an account that only the provider has does not exist in the user pool', async () => {
  const { id } = await idp.makeUser({ username: 'eve', email: 'eve@example.com' });
  for (const name of ['eve', 'eve@example.com', id]) {
    expect(await start(server, name)).toMatchObject({ __type: 'UserNotFoundException' });
  }
  await expect(server.service.users.getUser(id)).rejects.toMatchObject({ errorName: 'notFound' });
  await expect(server.service.users.deleteUser(id)).rejects.toMatchObject({
    errorName: 'notFound',
  });
});

it('changes of one account do not affect accounts with the same names', async () => {
  const { AccessToken } = await signIn(server, anna);
  const other = await idp.context.users.findBy('email', anna.email);
  await idp.context.users.update(other?.id ?? '', { blocked: true, username: 'renamed' });
  expect(await callPool(server, 'GetUser', { AccessToken })).toMatchObject({
    Username: anna.username,
  });
  await server.service.users.deleteUser(sub);
  expect(await idp.context.users.find(other?.id ?? '')).toMatchObject({ username: 'renamed' });
  expect(await callPool(server, 'GetUser', { AccessToken })).not.toHaveProperty('Username');
});
