import { decodeJWT, type KeyValueStorageInterface } from '@aws-amplify/core';
import { cognitoUserPoolsTokenProvider as tokens } from '@aws-amplify/auth/cognito';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteStoredTokens, readStoredSession } from './stored-session.ts';

const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const MINUTE_MS = 60_000;
const config = { tokenStorage: 'local', userPoolClientId: 'client' } as const;

let entries: Record<string, string>;

beforeEach(() => {
  entries = {};
  const storage = new Proxy(entries, {
    get: (target, name: string) =>
      ({
        getItem: (key: string) => target[key] ?? null,
        removeItem: (key: string) => void Reflect.deleteProperty(target, key),
      })[name] ?? target[name],
  });
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('document', { cookie: '' });
});
afterEach(() => vi.unstubAllGlobals());

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const tokenFor = (endsAtMs: number, facts: object = {}): string =>
  `${encoded({ alg: 'RS256' })}.${encoded({ sub: 'id', exp: endsAtMs / 1_000, ...facts })}.x`;

/** Stores tokens with the library itself. */
async function store({
  idToken,
  accessToken = idToken,
  clockDrift = 0,
}: {
  readonly idToken: string;
  readonly accessToken?: string;
  readonly clockDrift?: number;
}): Promise<void> {
  tokens.setAuthConfig({
    Cognito: { userPoolId: 'eu-west-1_pool', userPoolClientId: config.userPoolClientId },
  });
  tokens.setKeyValueStorage({
    setItem: async (key: string, value: string) => void (entries[key] = value),
    getItem: async (key: string) => entries[key] ?? null,
    removeItem: async (key: string) => void Reflect.deleteProperty(entries, key),
    clear: async () => undefined,
  } satisfies KeyValueStorageInterface);
  await tokens.tokenOrchestrator.setTokens({
    tokens: {
      accessToken: decodeJWT(accessToken),
      idToken: decodeJWT(idToken),
      refreshToken: 'refresh',
      clockDrift,
      username: 'ana.kovač@example.com',
    },
  });
}

describe('the session that a page starts with', () => {
  it('is read from the tokens that the library has stored', async () => {
    const endsAtMs = NOW_MS + 30 * MINUTE_MS;
    const idToken = tokenFor(endsAtMs, { name: 'Ana Kovač 安娜' });
    await store({ idToken });
    expect(readStoredSession(config, NOW_MS)).toEqual({
      expiresAt: endsAtMs,
      idToken,
      username: 'Ana Kovač 安娜',
    });
  });

  it('does not exist before a sign-in', () => {
    expect(readStoredSession(config, NOW_MS)).toBeNull();
  });

  it.each([
    ['the ID token expires within three minutes', { idToken: tokenFor(NOW_MS + 2 * MINUTE_MS) }],
    [
      'the access token has expired',
      {
        idToken: tokenFor(NOW_MS + 30 * MINUTE_MS),
        accessToken: tokenFor(NOW_MS - MINUTE_MS),
      },
    ],
    [
      'the clock of this computer is slow',
      { idToken: tokenFor(NOW_MS + 30 * MINUTE_MS), clockDrift: 29 * MINUTE_MS },
    ],
  ])('is left to the library if %s', async (_reason, stored) => {
    await store(stored);
    expect(readStoredSession(config, NOW_MS)).toBeUndefined();
  });

  it('is left to the library if a token cannot be read', async () => {
    await store({ idToken: tokenFor(NOW_MS + 30 * MINUTE_MS) });
    for (const key of Object.keys(entries)) if (key.endsWith('.idToken')) entries[key] = 'x.%.x';
    expect(readStoredSession(config, NOW_MS)).toBeUndefined();
  });

  it('is left to the library if the tokens are in cookies', () => {
    const inCookies = { ...config, tokenStorage: 'cookie' } as const;
    expect(readStoredSession(inCookies, NOW_MS)).toBeNull();
    document.cookie = 'CognitoIdentityServiceProvider.client.LastAuthUser=ana';
    expect(readStoredSession(inCookies, NOW_MS)).toBeUndefined();
  });
});

it('a session that ends without the library leaves no tokens', async () => {
  await store({ idToken: tokenFor(NOW_MS + 30 * MINUTE_MS) });
  entries['deviceportal.appearance'] = '{}';
  deleteStoredTokens();
  expect(Object.keys(entries)).toEqual(['deviceportal.appearance']);
});
