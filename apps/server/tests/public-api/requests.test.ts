import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiCall } from '@deviceportal/contract/api-calls';
import type { Page } from '@deviceportal/contract/pages';
import { API_RATE } from '../../src/api/public/rate-limit.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { ApiTokenClient } from '../api-tokens/api-token-client.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessFixture;
let client: ApiTokenClient;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
  const reader = { name: 'reader', permissions: ['devices:read', 'commands:read', 'cases:manage'] };
  client = await ApiTokenClient.personal(portal.url, admin, reader);
});
afterAll(() => portal[Symbol.asyncDispose]());

const send = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${portal.url}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${client.token}`, ...init.headers },
  });

test.each([
  ['an operation that does not exist', '/nothing', {}, 404, 2003],
  ['another method', '/devices', { method: 'DELETE' }, 404, 2003],
  [
    'a body that is no JSON',
    '/cases',
    { method: 'POST', body: '{', type: 'application/json' },
    400,
    2004,
  ],
  [
    'a body of another type',
    '/cases',
    { method: 'POST', body: 'a=b', type: 'text/plain' },
    415,
    2004,
  ],
  [
    'a body that is too large',
    '/cases',
    { method: 'POST', body: `"${'a'.repeat(300_000)}"`, type: 'application/json' },
    413,
    2004,
  ],
  [
    'a body that is nested too deeply',
    '/runs',
    {
      method: 'POST',
      body: `{"parameters":${'['.repeat(60_000)}${']'.repeat(60_000)}}`,
      type: 'application/json',
    },
    400,
    2004,
  ],
  [
    'a body that is no object',
    '/cases',
    { method: 'POST', body: '[]', type: 'application/json' },
    400,
    2004,
  ],
] as const)('%s is an error in the form of the API', async (_what, path, init, status, code) => {
  const { type, ...request }: { type?: string } & RequestInit = init;
  const answer = await send(path, {
    ...request,
    ...(type && { headers: { 'content-type': type } }),
  });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ error: { code, requestId: expect.any(String) } });
});

test('pages of other origins cannot call it', async () => {
  const origin = { origin: 'https://other.example.com', 'access-control-request-method': 'GET' };
  for (const answer of [
    await send('/token', { headers: origin }),
    await send('/token', { method: 'OPTIONS', headers: origin }),
  ])
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});

test('calls appear in API calls with the token, and a rejected one with the reason', async () => {
  await send('/devices?pageSize=1');
  await fetch(`${portal.url}/api/v1/devices`);
  await expect
    .poll(async () => (await admin.read<Page<ApiCall>>('apiCalls.list', {})).rows, {
      timeout: 5_000,
    })
    .toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: 'devices.list', apiToken: 'reader', status: 200 }),
        expect.objectContaining({ path: 'v1.listDevices', status: 401, refusal: 'no-token' }),
      ]),
    );
});

test('a token that asks too often is told when to try again, and no other token is affected', async () => {
  const busy = await ApiTokenClient.personal(portal.url, admin, { permissions: ['devices:read'] });
  const first = await busy.get('/token');
  expect(first.headers.get('ratelimit-policy')).toBe('"default";q=100;w=10');
  expect(first.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
  const asked = Array.from({ length: API_RATE.burst * 2 }, () => busy.get('/token'));
  const refused = (await Promise.all(asked)).filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  expect(refused[0]?.error).toMatchObject({ code: 2000, reason: 'api-rate-limit' });
  expect((await client.get('/token')).status).toBe(200);
});
