import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { mutate, query } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let admin: string;
let viewer: string;

beforeAll(async () => {
  portal = await startTestServer();
  [admin, viewer] = await Promise.all([portal.signIn('admin'), portal.signIn('viewer')]);
});
afterAll(() => portal[Symbol.asyncDispose]());

const get = (path: string, input?: unknown, token: string | undefined = admin) =>
  query(portal.url, { path, input, token });

describe('the product API', () => {
  test('accepts a token of the user pool', async () => {
    const session = await get('session.get');
    expect(session.data).toMatchObject({
      username: 'admin@deviceportal.local',
      roles: ['Administrator'],
    });
  });

  test.each([
    ['none', undefined],
    ['garbage', 'not-a-token'],
    ['truncated', 'eyJhbGciOiJSUzI1NiJ9.e30'],
  ])('rejects a token that is %s as an invalid session, 2001', async (_what, token) => {
    const answer = await query(portal.url, { path: 'session.get', token });
    expect(answer).toMatchObject({ status: 401, code: 2001 });
  });

  test('rejects a call without permission with 1000', async () => {
    expect(await get('access.users.list', undefined, viewer)).toMatchObject({
      status: 403,
      code: 1000,
    });
  });

  test('[api-4] rejects an invalid value with 2004 and its field', async () => {
    const answer = await get('devices.list', { pageSize: 100_000 });
    expect(answer).toMatchObject({ status: 400, code: 2004 });
    expect(answer.issues[0]?.path).toEqual(['pageSize']);
  });

  test('rejects an unknown procedure with 2003', async () => {
    expect(await get('devices.explode')).toMatchObject({ status: 404, code: 2003 });
  });

  test('rejects an unknown device with 6000, an unknown invocation with 5000, and an unknown command with 4002', async () => {
    expect((await get('devices.get', { device: newId() })).code).toBe(6000);
    expect((await get('commands.getInvocation', { id: newId() })).code).toBe(5000);
    expect((await get('commands.getForm', { command: 'nonsense' })).code).toBe(4002);
  });

  test('accepts 300 queries in one batched GET', async () => {
    const paths = Array.from({ length: 300 }, () => 'session.recent').join(',');
    const reply = await fetch(`${portal.url}/api/trpc/${paths}?batch=1&input=%7B%7D`, {
      headers: { authorization: `Bearer ${admin}` },
    });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toHaveLength(300);
  });

  test('rejects a body above the limit with an error of the catalog, without closing the connection', async () => {
    const answer = await mutate(portal.url, {
      path: 'documents.validate',
      input: { content: 'x'.repeat(2 * 1024 * 1024) },
      token: admin,
    });
    expect(answer).toMatchObject({ status: 413, code: 2004 });
  });

  test('[api-9] rejects a body that is not JSON with 2004', async () => {
    const reply = await fetch(`${portal.url}/api/trpc/session.savePreferences`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: '{"json":',
    });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(await reply.json())).toContain('2004');
  });

  test('[api-10] records every finished call with its result and request ID', async () => {
    await get('access.users.list', undefined, viewer);
    await expect
      .poll(async () => (await get('apiCalls.list', { onlyErrors: true })).data, { timeout: 5_000 })
      .toMatchObject({
        rows: expect.arrayContaining([
          expect.objectContaining({ path: 'access.users.list', errorCode: 1000, status: 403 }),
        ]),
      });
  });

  test('returns the addresses of the pools before sign-in', async () => {
    const config = await (await fetch(`${portal.url}/api/config`)).json();
    expect(config).toMatchObject({ providerSet: 'cognito', livePath: '/mqtt' });
  });

  test('is ready when all components are up', async () => {
    const reply = await fetch(`${portal.url}/readyz`);
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ parts: { database: 'up', gateway: 'up' } });
  });
});
