import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccessKey } from '../../src/oidc/access-keys.ts';
import { openProvider, type OpenProvider } from '../provider/support/open-provider.ts';

let idp: OpenProvider;
beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
});
afterAll(() => idp[Symbol.asyncDispose]());

async function ask(
  protocol: string,
  scopes: readonly string[],
  scope: string | undefined,
): Promise<Record<string, unknown>> {
  const pair = await createAccessKey(idp.context, { appId: idp.appId, scopes });
  const reply = await fetch(`${idp.host}/${protocol}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: pair.accessKey,
      client_secret: pair.accessSecret,
      ...(scope !== undefined && { scope }),
    }),
  });
  return { status: reply.status, ...((await reply.json()) as object) };
}

test.each([
  ['one of the standard', ['email'], 'address'],
  ['one more than it has', ['email'], 'email profile'],
  ['one that is not known here', ['email'], 'admin:everything'],
  ['any, with a key that has none', [], 'email'],
])('an application cannot get a scope that its key lacks: %s', async (_what, scopes, scope) => {
  for (const protocol of ['oidc', 'oauth']) {
    expect(await ask(protocol, scopes, scope)).toMatchObject({
      status: 400,
      error: 'invalid_scope',
    });
  }
});

test('an application gets the scopes of its key, and a token without scope if it requests none', async () => {
  const both = await ask('oidc', ['email', 'profile'], 'profile email');
  expect(both).toMatchObject({ status: 200, scope: 'profile email', token_type: 'Bearer' });
  const none = await ask('oauth', ['email'], undefined);
  expect(none).toMatchObject({ status: 200, expires_in: 600 });
  expect(none).not.toHaveProperty('scope');
});
