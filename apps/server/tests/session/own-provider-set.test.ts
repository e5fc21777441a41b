import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import type { SessionDetail } from '@deviceportal/contract/session';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer([], { DEVICEPORTAL_PROVIDER_SET: 'authing' });
});
afterAll(() => server[Symbol.asyncDispose]());

test('uses the provider at /idp for sign-in by one setting', async () => {
  const config = (await (await fetch(`${server.url}/api/config`)).json()) as BrowserConfig;
  expect(config).toMatchObject({
    providerSet: 'authing',
    authing: { appId: 'deviceportal', host: '/idp' },
    userPoolId: '',
    identityPoolEndpoint: '/identity',
    livePath: '/mqtt',
    outboxUrl: '/outbox',
  });
});

test('[own-provider-2] rejects sign-ins at the embedded user pool in that configuration', async () => {
  const reply = await fetch(`${server.url}/identity`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
    },
    body: JSON.stringify({
      AuthFlow: 'CUSTOM_AUTH',
      ClientId: 'deviceportalweb',
      AuthParameters: { USERNAME: 'admin@deviceportal.local' },
    }),
  });
  expect(reply.status).toBe(400);
});

interface Envelope {
  readonly code: number;
  readonly data: { readonly token: string };
}

/** A call of the external provider's API. */
async function call<Reply>(path: string, body?: object, token?: string): Promise<Reply> {
  const reply = await fetch(`${server.url}/idp${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'x-authing-app-id': 'deviceportal',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await reply.json()) as Reply;
}

/** Signs in with a code as the portal's page does. Returns the token. */
async function signIn(mailbox: string): Promise<string> {
  const email = `${mailbox}@deviceportal.local`;
  const query =
    'mutation ($email: String!, $scene: EmailScene!) { sendEmail(email: $email, scene: $scene) { code } }';
  await call('/graphql/v2', { query, variables: { email, scene: 'LOGIN_VERIFY_CODE' } });
  const messages = await fetch(`${server.url}/outbox/messages?to=${encodeURIComponent(email)}`);
  const [newest] = (await messages.json()) as { code: string }[];
  const { data } = await call<Envelope>('/api/v2/login/email-code', { email, code: newest?.code });
  return data.token;
}

async function refresh(token: string): Promise<string> {
  const query = 'mutation { refreshToken { token } }';
  const { data } = await call<{ data: { refreshToken: { token: string } } }>(
    '/graphql/v2',
    { query },
    token,
  );
  return data.refreshToken.token;
}

const logOut = (token: string): Promise<Envelope> =>
  call('/api/v2/logout?app_id=deviceportal', undefined, token);

async function sessionOf(token: string): Promise<SessionDetail | number> {
  const reply = await fetch(`${server.url}/api/trpc/session.get`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!reply.ok) return reply.status;
  const answer = (await reply.json()) as { result: { data: { json: SessionDetail } } };
  return answer.result.data.json;
}

test('signs in with a code, makes an administrator by the role code, and leaves other roles to the portal', async () => {
  const admin = await signIn('admin');
  expect(await sessionOf(admin)).toMatchObject({
    displayName: 'Ada Administrator',
    roles: ['Administrator'],
  });
  const support = await signIn('support');
  expect(await sessionOf(support)).toMatchObject({ roles: ['Support'] });
});

test('keeps the session with a refreshed token, and ends both at the next call after signing out', async () => {
  const first = await signIn('operator');
  const before = (await sessionOf(first)) as SessionDetail;
  const second = await refresh(first);
  const after = (await sessionOf(second)) as SessionDetail;
  expect(after.endsAt).toBe(before.endsAt);
  await logOut(second);
  expect(await sessionOf(first)).toBe(401);
  expect(await sessionOf(second)).toBe(401);
});

test('accepts its sign-ins at the identity pool, except after signing out', async () => {
  const token = await signIn('viewer');
  const config = (await (await fetch(`${server.url}/api/config`)).json()) as BrowserConfig;
  const { iss } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    iss: string;
  };
  const ask = (idToken: string): Promise<Response> =>
    fetch(`${server.url}/identity`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'AWSCognitoIdentityService.GetId',
      },
      body: JSON.stringify({
        IdentityPoolId: config.identityPoolId,
        Logins: { [iss.replace('http://', '')]: idToken },
      }),
    });
  expect((await ask(token)).status).toBe(200);
  await logOut(token);
  expect((await ask(token)).status).toBe(400);
});

test('applies a lock at the provider from the next call on', async () => {
  const auditor = await signIn('auditor');
  const database = new pg.Client(server.installation.databaseUrl);
  await database.connect();
  await database.query(
    `update identity.provider_user u set blocked = true from identity.account a
      where a.account_id = u.id and a.email = 'auditor@deviceportal.local'`,
  );
  await database.end();
  expect(await sessionOf(auditor)).toBe(401);
});
