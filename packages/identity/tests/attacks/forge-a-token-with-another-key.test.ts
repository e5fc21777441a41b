import { randomUUID } from 'node:crypto';
import { decodeJwt, SignJWT, type JWTPayload } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readKeyPairs, type KeyUse } from '../../src/keys/key-pair-store.ts';
import { openKeyPair } from '../../src/keys/signing-keys.ts';
import { createProvider, type Provider } from '../../src/provider/provider.ts';
import { createKeySeal } from '../../src/secrets/key-seal.ts';
import { callPool } from '../support/direct-client.ts';
import { startIdentityServer, type IdentityServer } from '../support/identity-server.ts';
import { anna, signIn, type Tokens } from '../support/wire-clients.ts';

let server: IdentityServer;
let provider: Provider;
let tokens: Tokens;

beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
  await server.service.users.createUser(anna);
  tokens = await signIn(server, anna);
  const { clock, pool, sealingKey } = server;
  provider = await createProvider({
    ...{ clock, pool, sealingKey, messenger: { send: async () => {} } },
    settings: {
      baseUrl: 'http://localhost:8080/idp',
      userPoolId: 'pool-1',
      application: {
        id: 'app-1',
        secret: 'a secret of the application',
        redirectUris: ['http://127.0.0.1:9/callback'],
        logoutRedirectUris: [],
        registration: 'as-provider',
      },
    },
  });
  await provider.context.keys.saml();
});
afterAll(() => server[Symbol.asyncDispose]());

/** What somebody could sign who has got hold of this one key. */
async function signWith(use: KeyUse, claims: JWTPayload): Promise<string> {
  const [stored] = await readKeyPairs(server.pool, [use]);
  if (stored === undefined) throw new Error(`no key for ${use}`);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: stored.kid })
    .sign(openKeyPair(stored, createKeySeal(server.sealingKey)).privateKey);
}

const getUser = (AccessToken: string) => callPool(server, 'GetUser', { AccessToken });

const others = ['id', 'provider-token', 'saml', 'password-rsa'] as const satisfies KeyUse[];
it.each(others)(
  'an access token of the user pool, signed with the key for %s, is rejected',
  async (use) => {
    const claims = decodeJwt(tokens.AccessToken);
    expect(await getUser(await signWith('access', claims))).toMatchObject({
      Username: anna.username,
    });
    expect(await getUser(await signWith(use, claims))).toMatchObject({
      __type: 'NotAuthorizedException',
      message: 'Could not verify signature for Access Token',
    });
  },
);

it.each(['id', 'access', 'saml', 'password-rsa'] as const)(
  'a token of the provider, signed with the key for %s, is rejected',
  async (use) => {
    const { context } = provider;
    const user = await context.users.create({ email: `${randomUUID()}@example.com` });
    const session = { appId: 'app-1', method: 'test', address: '127.0.0.1' };
    const { token } = await context.tokens.startSession(user, session);
    const claims = decodeJwt(token);
    expect(await context.tokens.verify(await signWith('provider-token', claims))).toMatchObject({
      userId: user.id,
    });
    expect(await context.tokens.verify(await signWith(use, claims))).toBeUndefined();
  },
);

it('each issuer publishes only its own keys', async () => {
  const kidsOf = async (...uses: KeyUse[]) =>
    (await readKeyPairs(server.pool, uses)).map(({ kid }) => kid).toSorted();
  const published = async ({ keySet }: Pick<Provider, 'keySet'>) =>
    (await keySet()).keys.map(({ kid }) => kid).toSorted();
  expect(await published(server.service)).toEqual(await kidsOf('id', 'access'));
  expect(await published(provider)).toEqual(await kidsOf('provider-token'));
});
