import { afterAll, beforeAll, expect, test } from 'vitest';
import { callPool } from '../support/direct-client.ts';
import { startIdentityServer, type IdentityServer } from '../support/identity-server.ts';
import { anna } from '../support/wire-clients.ts';

let server: IdentityServer;
beforeAll(async () => {
  server = await startIdentityServer();
  await server.service.users.createUser(anna);
});
afterAll(() => server[Symbol.asyncDispose]());

test('an attacker cannot create a user of the pool, nor find out which users exist', async () => {
  const signUp = (Username: string, email: string) =>
    callPool(server, 'SignUp', {
      ...{ Username, Password: 'Correct horse 1' },
      UserAttributes: [{ Name: 'email', Value: email }],
    });
  const refused = {
    __type: 'NotAuthorizedException',
    message: 'SignUp is not permitted for this user pool',
  };
  expect(await signUp('stranger', 'stranger@example.com')).toEqual(refused);
  expect(await signUp(anna.username, anna.email)).toEqual(refused);
  for (const operation of ['ConfirmSignUp', 'ResendConfirmationCode', 'AdminConfirmSignUp']) {
    const reply = await callPool(server, operation, { Username: anna.username });
    expect(reply.__type).toMatch(/Exception$/);
  }
  expect(await server.service.users.listUsers()).toHaveLength(1);
  expect(server.messages).toEqual([]);
});
