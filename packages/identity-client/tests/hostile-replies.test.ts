import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AuthenticationClient,
  createIdentityClient,
  createMemoryStorage,
  getCurrentUser,
  getUserValues,
  hasRole,
  IdentityError,
  listDepartments,
  loginByEmailCode,
  loginByPhoneCode,
  refreshToken,
  updateProfile,
  type IdentityClient,
} from '../src/index.ts';

const TOKEN = 'kept-secret-token';
const ME = { id: 'me', token: TOKEN };

const replies = fc.oneof(
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string(),
  fc.jsonValue().map((data) => JSON.stringify({ code: 200, data })),
  fc.jsonValue().map((value) => JSON.stringify({ data: { user: value, updateUser: value } })),
  fc
    .record({ id: fc.jsonValue(), token: fc.jsonValue(), customData: fc.jsonValue() })
    .map((data) => JSON.stringify({ code: 200, data })),
);
const statuses = fc.constantFrom(200, 201, 400, 401, 500, 502);

function signedIn(body: string, status: number): IdentityClient {
  const client = createIdentityClient({
    ...{ appId: 'app', appHost: 'https://provider.example', storage: createMemoryStorage() },
    fetch: async () => new Response(body, { status }),
  });
  client.session.setUser(ME);
  return client;
}

const calls: readonly (readonly [string, (client: IdentityClient) => Promise<unknown>])[] = [
  ['loginByEmailCode', (client) => loginByEmailCode(client, { email: 'a@b.c', code: '1' })],
  ['loginByPhoneCode', (client) => loginByPhoneCode(client, { phone: '1', code: '1' })],
  ['getCurrentUser', (client) => getCurrentUser(client)],
  ['updateProfile', (client) => updateProfile(client, { nickname: 'x' })],
  ['refreshToken', (client) => refreshToken(client)],
  ['getUserValues', (client) => getUserValues(client)],
  ['hasRole', (client) => hasRole(client, 'admin')],
  ['listDepartments', (client) => listDepartments(client)],
];

test.each(calls)(
  '%s: returns or throws an IdentityError without a token in its text, for any reply',
  async (_name, call) => {
    await fc.assert(
      fc.asyncProperty(replies, statuses, async (body, status) => {
        const client = signedIn(body, status);
        try {
          await call(client);
        } catch (error) {
          expect(error).toBeInstanceOf(IdentityError);
          const text = `${String(error)} ${JSON.stringify(error)}`;
          expect(body.includes(TOKEN) || !text.includes(TOKEN)).toBe(true);
        }
        const { id, token } = client.session.getUser() ?? {};
        expect(typeof id).toBe('string');
        expect(token === null || token === undefined || typeof token === 'string').toBe(true);
      }),
      { numRuns: 150 },
    );
  },
);

test('handles an error message that cannot be converted to text', async () => {
  const message = { toString: 1, valueOf: 1 };
  const login = { email: 'a@b.c', code: '1' };
  const rest = signedIn(JSON.stringify({ code: 2020, message }), 200);
  await expect(loginByEmailCode(rest, login)).rejects.toMatchObject({ code: 2020, message: '' });
  const errors = [{ message: { code: 7, message } }];
  const graphql = signedIn(JSON.stringify({ errors, data: null }), 200);
  await expect(refreshToken(graphql)).rejects.toMatchObject({ code: 7, message: '' });
});

test('never makes the user of another account’s profile reply current', async () => {
  const other = JSON.stringify({ data: { updateUser: { id: 'other', token: 'theirs' } } });
  const client = signedIn(other, 200);
  await updateProfile(client, { nickname: 'x' });
  expect([client.session.getUser()?.id, client.session.getToken()]).toEqual(['me', TOKEN]);
});

test('does not keep the previous user’s token after a sign-in reply without a token', async () => {
  const client = signedIn(JSON.stringify({ code: 200, data: { id: 'other' } }), 200);
  await loginByEmailCode(client, { email: 'a@b.c', code: '1' });
  expect([client.session.getUser()?.id, client.session.getToken()]).toEqual(['other', null]);
});

test('does not change a prototype for a reply with __proto__ among its values', async () => {
  const value = { key: '__proto__', dataType: 'OBJECT', value: '{"polluted":true}' };
  const client = signedIn(JSON.stringify({ data: { udv: [value] } }), 200);
  await getUserValues(client);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('rejects an aborted call with the signal’s reason and a timed-out one with code 500', async () => {
  const never: typeof fetch = (_input, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new Error('stopped')));
    });
  const options = { appId: 'app', appHost: 'https://provider.example', fetch: never };
  const stopper = new AbortController();
  const client = createIdentityClient({ ...options, storage: createMemoryStorage() });
  const { signal } = stopper;
  const login = loginByEmailCode(client, { email: 'a@b.c', code: '1' }, { signal });
  const reason = new Error('the person went away');
  stopper.abort(reason);
  await expect(login).rejects.toBe(reason);
  const shells = new AuthenticationClient({
    ...options,
    timeout: 20,
    storage: createMemoryStorage(),
  });
  await expect(shells.loginByEmailCode('a@b.c', '1')).rejects.toMatchObject({ code: 500 });
});
