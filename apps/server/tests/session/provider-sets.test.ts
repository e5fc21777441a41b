import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import type { SessionDetail } from '@deviceportal/contract/session';
import {
  openExternalProvider,
  type ExternalPerson,
  type ExternalProvider,
} from '../support/external-provider.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

const admin: ExternalPerson = {
  id: 'u-admin',
  email: 'li@corp.example',
  phone: '13800138000',
  name: 'Li',
  roles: [ADMIN_GROUP, 'something-else'],
};
const helper: ExternalPerson = { ...admin, id: 'u-helper', email: 'wu@corp.example', roles: [] };

const configOf = async (server: TestServer): Promise<BrowserConfig> =>
  (await (await fetch(`${server.url}/api/config`)).json()) as BrowserConfig;
const connectSourcesOf = async (server: TestServer): Promise<string> => {
  const policy = (await fetch(`${server.url}/api/config`)).headers.get('content-security-policy');
  return /connect-src ([^;]+)/.exec(policy ?? '')?.[1] ?? '';
};

describe('an external provider by configuration', () => {
  let provider: ExternalProvider;
  let server: TestServer;
  beforeAll(async () => {
    provider = await openExternalProvider([admin, helper]);
    server = await startTestServer([], {
      DEVICEPORTAL_REGION: 'cn-north-1',
      DEVICEPORTAL_AUTHING_APP_ID: provider.appId,
      DEVICEPORTAL_AUTHING_HOST: provider.host,
      DEVICEPORTAL_AUTHING_ISSUER: provider.issuer,
      DEVICEPORTAL_AUTHING_KEY_SET_URL: provider.keySetUrl,
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  const sessionOf = async (token: string): Promise<SessionDetail | number> => {
    const reply = await fetch(`${server.url}/api/trpc/session.get`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!reply.ok) return reply.status;
    const answer = (await reply.json()) as { result: { data: { json: SessionDetail } } };
    return answer.result.data.json;
  };

  test('is selected by a region in China alone, and the browser may call its host', async () => {
    expect(await configOf(server)).toMatchObject({
      providerSet: 'authing',
      region: 'cn-north-1',
      authing: { appId: provider.appId, host: provider.host },
      identityPoolId: expect.stringMatching(/^cn-north-1:/),
      identityPoolEndpoint: '/identity',
      livePath: '/mqtt',
      outboxUrl: null,
      defaultLanguage: 'zh-CN',
    });
    expect(await connectSourcesOf(server)).toBe(`'self' ${provider.host}`);
  });

  test('authenticates with its id token, and makes an administrator by the role code', async () => {
    expect(await sessionOf(await provider.idToken(admin))).toMatchObject({
      username: 'li@corp.example',
      displayName: 'Li',
      roles: ['Administrator'],
    });
    expect(await sessionOf(await provider.idToken(helper))).toMatchObject({ roles: [] });
  });

  test('needs no request for roles that are in the token', async () => {
    provider.settings.rolesInToken = true;
    const before = provider.calls.length;
    const token = await provider.idToken(admin, { nonce: 'another token' });
    provider.settings.rolesInToken = false;
    expect(await sessionOf(token)).toMatchObject({ roles: ['Administrator'] });
    expect(provider.calls.length).toBe(before);
  });

  test.each([
    ['for another application', { aud: 'another-app' }],
    ['of another issuer', { iss: 'http://127.0.0.1:1/oidc' }],
    ['an access token', { scope: 'openid profile' }],
    ['of a sign-in longer ago than a session lasts', { auth_time: 1 }],
  ])('is not used to accept a token %s', async (_what, claims) => {
    const token = await provider.idToken(admin, claims);
    expect(await sessionOf(token)).toBe(401);
  });

  test('has no keys of the embedded user pool published next to it', async () => {
    const path = '/identity/cn-north-1_DevicePortal/.well-known/jwks.json';
    expect((await fetch(`${server.url}${path}`)).status).toBe(404);
  });
});

describe('a hosted user pool by configuration', () => {
  const hosted = {
    DEVICEPORTAL_USER_POOL: 'eu-west-1_AbC123',
    DEVICEPORTAL_USER_POOL_CLIENT_ID: '5example1client2id3',
  };

  test("needs only its id and client: the library knows the region's URL, and the browser may call it", async () => {
    await using server = await startTestServer([], {
      ...hosted,
      DEVICEPORTAL_IDENTITY_POOL: 'eu-west-1:6d1f4c1e-8a53-4c57-9d2f-0b7a5e3c9f10',
      DEVICEPORTAL_IDENTITY_POOL_ACCOUNT_ID: '111122223333',
    });
    expect(await configOf(server)).toMatchObject({
      providerSet: 'cognito',
      region: 'eu-west-1',
      userPoolId: 'eu-west-1_AbC123',
      userPoolClientId: '5example1client2id3',
      userPoolEndpoint: null,
      identityPoolId: 'eu-west-1:6d1f4c1e-8a53-4c57-9d2f-0b7a5e3c9f10',
      identityPoolEndpoint: null,
      identityPoolAccountId: '111122223333',
      livePath: '/mqtt',
      livePoolId: expect.stringMatching(/^us-east-1:/),
      outboxUrl: null,
    });
    expect(await connectSourcesOf(server)).toBe(
      "'self' https://cognito-idp.eu-west-1.amazonaws.com https://cognito-identity.eu-west-1.amazonaws.com",
    );
  });

  test('keeps tokens in cookies if configured', async () => {
    await using server = await startTestServer([], {
      ...hosted,
      DEVICEPORTAL_USER_POOL_ENDPOINT: 'https://pool.example',
      DEVICEPORTAL_TOKEN_STORAGE: 'cookie',
    });
    expect(await configOf(server)).toMatchObject({
      tokenStorage: 'cookie',
      userPoolEndpoint: 'https://pool.example',
      identityPoolId: expect.stringMatching(/^us-east-1:/),
      livePath: '/mqtt',
    });
    expect(await connectSourcesOf(server)).toBe("'self' https://pool.example");
  });
});
