import { beforeEach, describe, expect, it } from 'vitest';
import { createAuthingLayer } from './authing-layer.ts';
import { authingOperations } from './authing-operations.ts';
import { createAuthingTokenStore } from './authing-token-store.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = 1_700_000_000_000;

interface Seen {
  readonly path: string;
  readonly headers: Headers;
  readonly body: { readonly query?: string; readonly variables?: unknown };
}

let nowMs: number;
let stored: Map<string, string>;
let seen: Seen[];
let answers: (Response | Error)[];

beforeEach(() => {
  nowMs = NOW_MS;
  stored = new Map();
  seen = [];
  answers = [];
});

const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
};

/** Simulates the provider at the network level, with the responses of the test in order. */
const fetchProvider: typeof fetch = async (url, init) => {
  const body = init?.body === undefined ? {} : (JSON.parse(String(init.body)) as Seen['body']);
  seen.push({ path: new URL(String(url)).pathname, headers: new Headers(init?.headers), body });
  const answer = answers.shift();
  if (answer instanceof Error) throw answer;
  return answer ?? Response.json({ code: 200 });
};

const layer = () =>
  createAuthingLayer({
    operations: authingOperations(() => ({
      appHost: 'https://app.example',
      appId: 'app-1',
      fetch: fetchProvider,
      lang: 'zh-CN',
    })),
    store: createAuthingTokenStore({
      tokens: {
        getItem: async (key) => storage.getItem(key),
        setItem: async (key, value) => storage.setItem(key, value),
        removeItem: async (key) => storage.removeItem(key),
      },
      users: storage,
    }),
    codeLength: 6,
    nowMs: () => nowMs,
  });

function tokenOf(expiresAtMs: number, claims: object = {}): string {
  const part = (value: object): string => btoa(JSON.stringify(value)).replaceAll('=', '');
  return `${part({ alg: 'RS256' })}.${part({ sub: 'u-1', exp: expiresAtMs / 1_000, ...claims })}.c2ln`;
}
const data = (field: string, value: unknown): Response =>
  Response.json({ data: { [field]: value } });
const refusal = (code: number): Response =>
  Response.json({ errors: [{ message: { code, message: 'no', data: null } }], data: null });

describe('starting the sign-in', () => {
  it('checks that the user exists, then sends a code', async () => {
    answers = [data('isUserExists', true), data('sendEmail', { message: 'sent', code: 200 })];
    const challenge = await layer().startAuthentication('bob@example.com');
    expect(seen.map(({ body }) => body.variables)).toEqual([
      { email: 'bob@example.com' },
      { email: 'bob@example.com', scene: 'LOGIN_VERIFY_CODE' },
    ]);
    expect(Object.fromEntries(seen[0]?.headers ?? [])).toMatchObject({
      'x-authing-app-id': 'app-1',
      'x-authing-request-from': 'sdk',
      'x-authing-lang': 'zh-CN',
    });
    expect(challenge).toMatchObject({
      medium: 'email',
      destination: 'b•••@example.com',
      expiresAtMs: NOW_MS + 180_000,
    });
  });

  it('a text message is sent with number and country code as separate fields', async () => {
    answers = [data('isUserExists', true), Response.json({ code: 200, message: 'sms sent' })];
    await layer().startAuthentication('+8613800000000');
    expect(seen[0]?.body.variables).toEqual({ phone: '13800000000' });
    expect(seen[1]).toMatchObject({
      path: '/api/v2/sms/send',
      body: { phone: '13800000000', phoneCountryCode: '+86', scene: 'login' },
    });
  });

  it.each([
    ['a missing user', [() => data('isUserExists', false)], 3000, 'user does not exist'],
    ['null, which is none either', [() => data('isUserExists', null)], 3000, 'user does not exist'],
    [
      'code 2224 as an error',
      [() => data('isUserExists', true), () => refusal(2224)],
      3002,
      'user not authorized',
    ],
    [
      'code 2224 as a result',
      [() => data('isUserExists', true), () => data('sendEmail', { code: 2224, message: 'no' })],
      3002,
      'user not authorized',
    ],
    ['any other failure', [() => refusal(2333)], -1, 'unknown'],
    ['no answer', [() => new TypeError('Failed to fetch')], -1, 'unknown'],
  ] as const)('%s', async (_what, replies, code, message) => {
    answers = replies.map((reply) => reply());
    const started = layer().startAuthentication('bob@example.com');
    await expect(started).rejects.toMatchObject({ code, message });
  });
});

describe('submitting the code', () => {
  const challenge = async () => {
    answers = [data('isUserExists', true), data('sendEmail', { code: 200 })];
    const started = await layer().startAuthentication('bob@example.com');
    answers = [];
    return started;
  };
  const user = (token: string | null) => Response.json({ code: 200, data: { id: 'u-1', token } });

  it('a correct code creates a session from the ID token', async () => {
    const asked = await challenge();
    const token = tokenOf(NOW_MS + HOUR_MS, { email: 'bob@example.com' });
    answers = [user(token)];
    expect(await layer().submitCode(asked, '123456')).toEqual({
      expiresAt: NOW_MS + HOUR_MS,
      idToken: token,
      username: 'bob@example.com',
    });
    expect(seen.at(-1)?.body).toEqual({
      email: 'bob@example.com',
      code: '123456',
      params: null,
      context: null,
    });
    expect(stored.get('_authing_token')).toBe(token);
    expect(stored.get('_authing_user')).not.toContain(token);
  });

  it.each([
    ['a refusal', () => Response.json({ code: 2001, message: 'wrong' })],
    ['an answer without a token', () => user(null)],
    ['a token that is none', () => user('user-token-1')],
    ['a token that has expired', () => user(tokenOf(NOW_MS - 1_000))],
  ])('[authing-layer-5] %s is an invalid code', async (_what, reply) => {
    const asked = await challenge();
    answers = [reply()];
    await expect(layer().submitCode(asked, '123456')).rejects.toMatchObject({ code: 3001 });
    expect(stored.has('_authing_token')).toBe(false);
  });
});

describe('the session', () => {
  it('is refreshed with its own token, which is replaced', async () => {
    const [old, renewed] = [tokenOf(NOW_MS + 60_000), tokenOf(NOW_MS + HOUR_MS)];
    stored.set('_authing_token', old);
    stored.set('_authing_user', JSON.stringify({ id: 'u-1', phone: '13800000000' }));
    answers = [data('refreshToken', { token: renewed, iat: 1, exp: 2 })];
    expect(await layer().readSession({ refresh: true })).toMatchObject({
      idToken: renewed,
      username: '13800000000',
    });
    expect(seen[0]?.headers.get('authorization')).toBe(`Bearer ${old}`);
    expect(stored.get('_authing_token')).toBe(renewed);
  });

  it('ends when the provider rejects it, and stays while the provider is unreachable', async () => {
    stored.set('_authing_token', tokenOf(NOW_MS + 60_000));
    answers = [new TypeError('Failed to fetch'), refusal(2206)];
    await expect(layer().readSession({ refresh: true })).rejects.toMatchObject({
      source: 'network',
    });
    expect(stored.has('_authing_token')).toBe(true);
    expect(await layer().readSession({ refresh: true })).toBeNull();
    expect(stored.has('_authing_token')).toBe(false);
  });

  it.each(['undefined', 'null', '', 'no token'])('%j in storage is no session', async (text) => {
    stored.set('_authing_token', text);
    expect(await layer().readSession({ refresh: false })).toBeNull();
    expect(await layer().readTokens()).toBeNull();
  });

  it('an expired token is no session and causes no request', async () => {
    stored.set('_authing_token', tokenOf(NOW_MS));
    expect(await layer().readSession({ refresh: true })).toBeNull();
    expect(seen).toEqual([]);
  });
});
