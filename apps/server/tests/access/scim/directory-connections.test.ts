import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewScimToken, ScimConnections } from '@deviceportal/contract/scim';
import { AccessFixture } from '../../support/access-fixture.ts';
import { ScimClient } from './scim-client.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessFixture;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
});
afterAll(() => portal[Symbol.asyncDispose]());

const statusWith = async (token: string): Promise<number> =>
  (
    await fetch(`${portal.url}/scim/v2/Users?count=0`, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status;

const connect = (name: string) => ScimClient.connect(portal.url, admin, { name });

describe('connections of directories', () => {
  test('a request without a valid token is 401 in the form of SCIM, and a session is none', async () => {
    const answers = await Promise.all([
      fetch(`${portal.url}/scim/v2/Users`),
      fetch(`${portal.url}/scim/v2/Users`, {
        headers: { authorization: `Bearer dpscim_${'a'.repeat(43)}` },
      }),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(await answer.json()).toMatchObject({ status: '401' });
    }
  });

  test('after a rotation, both tokens work until the old one is ended', async () => {
    const { token: first, connectionId: id } = await connect('rotated');
    const second = await admin.done<NewScimToken>('access.directoryConnections.rotate', { id });
    expect(await Promise.all([first, second.token].map(statusWith))).toEqual([200, 200]);
    const third = await admin.done<NewScimToken>('access.directoryConnections.rotate', {
      ...{ id, endNow: true },
    });
    expect(await Promise.all([first, second.token, third.token].map(statusWith))).toEqual([
      401, 401, 200,
    ]);
  });

  test('a revoked connection is rejected at the next request, and every step is in the trail without the token', async () => {
    const { token, connectionId: id } = await connect('revoked');
    await admin.done('access.directoryConnections.revoke', { id });
    expect(await statusWith(token)).toBe(401);
    const trail = await admin.trail(
      'access.directory-connection-created',
      'access.directory-connection-revoked',
    );
    const own = trail.filter(({ data }) => data['connectionId'] === id);
    expect(own.map(({ type }) => type)).toEqual([
      'access.directory-connection-revoked',
      'access.directory-connection-created',
    ]);
    expect(JSON.stringify(trail)).not.toContain(token);
  });

  test('the list shows the last request and the last rejection, without identifiers', async () => {
    const directory = await connect('used');
    await directory.call('DELETE', `/Users/${(await admin.session()).userId}`);
    await expect
      .poll(async () => {
        const { connections } = await admin.read<ScimConnections>(
          'access.directoryConnections.list',
        );
        return connections.find(({ id }) => id === directory.connectionId);
      })
      .toMatchObject({
        ...{ lastError: '409 DELETE /Users/:id', lastChangeAt: null },
        lastRequestAt: expect.any(String),
      });
  });

  test('there can be twenty connections, and a revoked one makes room', async () => {
    const create = () => admin.order('access.directoryConnections.create', { name: 'one of many' });
    const made: string[] = [];
    for (let answer = await create(); answer.code !== 2004; answer = await create()) {
      made.push((answer.data as NewScimToken).id);
      expect(made.length).toBeLessThanOrEqual(20);
    }
    await admin.done('access.directoryConnections.revoke', { id: made[0] });
    expect((await create()).status).toBe(200);
  });

  test('a manager of access whose permissions are fewer cannot create a connection', async () => {
    await admin.createRole('Access in Germany', ['access:read', 'access:manage'], {
      countries: ['DE'],
    });
    await admin.invite('germany@example.com', 'Access in Germany');
    const manager = await AccessFixture.open(portal, 'germany@example.com');
    const answer = await manager.order('access.directoryConnections.create', { name: 'mine' });
    expect(answer.code).toBe(1000);
  });
});
