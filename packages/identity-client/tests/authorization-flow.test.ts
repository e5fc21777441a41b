import { expect, test } from 'vitest';
import {
  buildAuthorizeUrl,
  completeAuthorization,
  createIdentityClient,
  createMemoryStorage,
  startAuthorization,
  type IdentityClient,
} from '../src/index.ts';

const BACK = 'https://app.example/back';

/** A client whose token endpoint returns an ID token with these claims. */
function clientOf(claims: object): { client: IdentityClient; forms: string[] } {
  const forms: string[] = [];
  const part = Buffer.from(JSON.stringify(claims)).toString('base64url');
  const client = createIdentityClient({
    ...{ appId: 'app', appHost: 'https://provider.example', redirectUri: BACK },
    ...{ storage: createMemoryStorage(), tokenEndPointAuthMethod: 'none' },
    fetch: async (_url, init) => {
      forms.push(String(init?.body));
      return Response.json({ access_token: 'at', id_token: `e30.${part}.sig` });
    },
  });
  return { client, forms };
}

test('creates a state and a nonce of 32 characters and exchanges the code with the verifier', async () => {
  const { url, transaction } = startAuthorization(clientOf({}).client);
  const query = new URL(url).searchParams;
  expect([query.get('state')?.length, query.get('nonce')?.length]).toEqual([32, 32]);
  expect(query.get('code_challenge_method')).toBe('S256');
  const { client, forms } = clientOf({ nonce: transaction.nonce, aud: 'app' });
  const back = `${BACK}?code=c-1&state=${transaction.state}`;
  expect(await completeAuthorization(client, back, transaction)).toMatchObject({
    access_token: 'at',
  });
  expect(new URLSearchParams(forms[0]).get('code_verifier')).toBe(transaction.codeVerifier);
});

test.each([
  ['another state', (state: string) => `${state}x`, (nonce: string) => ({ nonce, aud: 'app' })],
  [
    'another nonce',
    (state: string) => state,
    (nonce: string) => ({ nonce: `${nonce}x`, aud: 'app' }),
  ],
  ['another application', (state: string) => state, (nonce: string) => ({ nonce, aud: 'other' })],
])('rejects a response with %s', async (_name, changeState, makeClaims) => {
  const { transaction } = startAuthorization(clientOf({}).client);
  const { client } = clientOf(makeClaims(transaction.nonce));
  const back = `${BACK}?code=c-1&state=${changeState(transaction.state)}`;
  await expect(completeAuthorization(client, back, transaction)).rejects.toMatchObject({
    code: 'FLOW_REFUSED',
  });
});

test('rejects a challenge of fewer than 43 characters', () => {
  const { client } = clientOf({});
  expect(() => buildAuthorizeUrl(client, { codeChallenge: 'x'.repeat(42) })).toThrow(/43/);
});
