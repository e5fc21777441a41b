import { AuthenticationClient } from 'authing-js-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIdentityClient, loginByEmail } from '../../../identity-client/src/index.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';

let idp: OpenProvider;

beforeAll(async () => {
  idp = await openProvider();
  await idp.makeUser({ email: 'ada@example.com', username: 'ada', password: 'Correct horse 1' });
});
afterAll(() => idp[Symbol.asyncDispose]());

describe('sign-in by password', () => {
  it('our client signs in and gets a valid token', async () => {
    const client = createIdentityClient({ appId: idp.appId, appHost: idp.host });
    const user = await loginByEmail(client, {
      email: 'ada@example.com',
      password: 'Correct horse 1',
    });
    expect(user).toMatchObject({ email: 'ada@example.com', loginsCount: 1 });
    const token = await idp.context.tokens.verify(user.token ?? '');
    expect(token?.userId).toBe(user.id);
  });

  it('the unchanged public package signs in', async () => {
    const client = new AuthenticationClient({ appId: idp.appId, appHost: idp.host });
    const user = await client.loginByEmail('ADA@example.com', 'Correct horse 1');
    expect(user.username).toBe('ada');
    await expect(client.loginByEmail('ada@example.com', 'wrong')).rejects.toMatchObject({
      code: 2333,
    });
    expect(idp.failures).toEqual([]);
  });
});
