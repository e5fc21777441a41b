import { afterEach, expect, it, vi } from 'vitest';
import type { AuthSession } from '@aws-amplify/core';
import { liveCredentialsOf } from './live-credentials.ts';

const session: AuthSession = {
  userSub: 'ana',
  identityId: 'us-east-1:hosted',
  credentials: { accessKeyId: 'ASIAHOSTED', secretAccessKey: 's', sessionToken: 't' },
  tokens: {
    accessToken: { payload: {}, toString: () => 'access' },
    idToken: {
      payload: { sub: 'ana', iss: 'https://pool.example/us-east-1_X' },
      toString: () => 'id-token',
    },
  },
};

afterEach(() => vi.unstubAllGlobals());

it('signs with the credentials of the session if they are those of the embedded identity pool', async () => {
  expect(await liveCredentialsOf(session, null)).toBe(session);
});

it('with a hosted identity pool, exchanges the ID token at /identity of this origin', async () => {
  const bodies: unknown[] = [];
  vi.stubGlobal('location', { origin: 'https://portal.example' });
  vi.stubGlobal('fetch', async (url: string, { body }: { readonly body: string }) => {
    bodies.push([url, JSON.parse(body)]);
    const Credentials = { AccessKeyId: 'ASIAOWN', SecretKey: 's', SessionToken: 't' };
    return Response.json({ IdentityId: 'eu-central-1:own', Credentials });
  });
  expect(await liveCredentialsOf(session, 'eu-central-1:pool')).toMatchObject({
    identityId: 'eu-central-1:own',
    credentials: { accessKeyId: 'ASIAOWN' },
  });
  const Logins = { 'pool.example/us-east-1_X': 'id-token' };
  expect(bodies).toEqual([
    ['https://portal.example/identity', { IdentityPoolId: 'eu-central-1:pool', Logins }],
    ['https://portal.example/identity', { IdentityId: 'eu-central-1:own', Logins }],
  ]);
});

it('has no credentials without an ID token', async () => {
  expect(await liveCredentialsOf({ userSub: 'ana' }, 'eu-central-1:pool')).toEqual({});
});
