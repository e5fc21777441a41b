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
  test('[api-1] a token of the user pool opens it', async () => {
    const session = await get('session.get');
    expect(session.data).toMatchObject({
      username: 'admin@deviceportal.local',
      roles: ['Administrator'],
    });
  });

  test.each([
    ['none', undefined],
    ['garbage', 'not-a-token'],
    ['a cut one', 'eyJhbGciOiJSUzI1NiJ9.e30'],
  ])('[api-2] a token that is %s is an invalid session, 2001', async (_what, token) => {
    const answer = await query(portal.url, { path: 'session.get', token });
    expect(answer).toMatchObject({ status: 401, code: 2001 });
  });

  test('[api-3] a right that is missing is 1000, whatever the portal would have shown', async () => {
    expect(await get('access.users.list', undefined, viewer)).toMatchObject({
      status: 403,
      code: 1000,
    });
  });

  test('[api-4] a wrong value is 2004 and names its field', async () => {
    const answer = await get('devices.list', { pageSize: 100_000 });
    expect(answer).toMatchObject({ status: 400, code: 2004 });
    expect(answer.issues[0]?.path).toEqual(['pageSize']);
  });

  test('[api-5] a procedure that does not exist is 2003', async () => {
    expect(await get('devices.explode')).toMatchObject({ status: 404, code: 2003 });
  });

  test('[api-6] an unknown device is 6000, an unknown invocation 5000, an unknown command 4002', async () => {
    expect((await get('devices.get', { device: newId() })).code).toBe(6000);
    expect((await get('commands.getInvocation', { id: newId() })).code).toBe(5000);
    expect((await get('commands.getForm', { command: 'nonsense' })).code).toBe(4002);
  });

  test('[api-7] three hundred queries fit into one batched GET', async () => {
    const paths = Array.from({ length: 300 }, () => 'session.recent').join(',');
    const reply = await fetch(`${portal.url}/api/trpc/${paths}?batch=1&input=%7B%7D`, {
      headers: { authorization: `Bearer ${admin}` },
    });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toHaveLength(300);
  });

  test('[api-8] a body beyond the limit is refused with the catalog, not with a broken connection', async () => {
    const answer = await mutate(portal.url, {
      path: 'documents.validate',
      input: { content: 'x'.repeat(2 * 1024 * 1024) },
      token: admin,
    });
    expect(answer).toMatchObject({ status: 413, code: 2004 });
  });

  test('[api-9] a body that is no JSON is 2004', async () => {
    const reply = await fetch(`${portal.url}/api/trpc/session.savePreferences`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: '{"json":',
    });
    expect(reply.status).toBe(400);
    expect(JSON.stringify(await reply.json())).toContain('2004');
  });

  test('[api-10] every finished call is on record with its result and request id', async () => {
    await get('access.users.list', undefined, viewer);
    await expect
      .poll(async () => (await get('apiCalls.list', { onlyErrors: true })).data, { timeout: 5_000 })
      .toMatchObject({
        rows: expect.arrayContaining([
          expect.objectContaining({ path: 'access.users.list', errorCode: 1000, status: 403 }),
        ]),
      });
  });

  test('[api-11] the browser learns before sign-in where the pools are', async () => {
    const config = await (await fetch(`${portal.url}/api/config`)).json();
    expect(config).toMatchObject({ providerSet: 'cognito', livePath: '/mqtt' });
  });

  test('[api-12] it is ready when every part is up', async () => {
    const reply = await fetch(`${portal.url}/readyz`);
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ parts: { database: 'up', gateway: 'up' } });
  });
});
