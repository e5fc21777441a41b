import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newApiToken } from '../../../src/api-tokens/token-format.ts';
import { createTokenAuthentication } from '../../../src/api-tokens/authenticate-token.ts';
import { openDatabase, type Database } from '../../../src/platform/database/database.ts';
import { REJECTED_TOKENS_QUOTA } from '../../../src/api-tokens/authenticate-token.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { ApiTokenClient } from '../../api-tokens/api-token-client.ts';
import {
  serveInstallation,
  startTestServer,
  type TestServer,
} from '../../support/start-test-server.ts';

let portal: TestServer;
let database: Database;
let client: ApiTokenClient;

beforeAll(async () => {
  portal = await startTestServer([], { DEVICEPORTAL_TRUST_PROXY: '127.0.0.1' });
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  const admin = await AccessFixture.open(portal, 'admin');
  client = await ApiTokenClient.personal(portal.url, admin, { permissions: ['devices:read'] });
  await client.get('/token');
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

let address = 0;
beforeEach(() => {
  address += 1;
});

const send = (token: string | undefined, query = '') =>
  fetch(`${portal.url}/api/v1/token${query}`, {
    headers: {
      'x-forwarded-for': `203.0.113.${address}`,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  });

test('a token with a wrong checksum reaches no database', async () => {
  const unreachable = new Proxy(database, {
    get() {
      throw new Error('looked up');
    },
  });
  const untouched = {
    ...{ database: unreachable, viewers: {}, directory: {}, clock: () => new Date() },
  };
  const wrong = `${client.token.slice(0, -1)}${client.token.endsWith('A') ? 'B' : 'A'}`;
  const { authenticate } = createTokenAuthentication(untouched as never);
  const origin = { requestId: 'r', address: '203.0.113.99' };
  const takeRate = () => {};
  await expect(authenticate(`Bearer ${wrong}`, origin, takeRate)).rejects.toMatchObject({
    code: 2001,
  });
  await expect(authenticate(`Bearer ${client.token}`, origin, takeRate)).rejects.toThrow(
    'looked up',
  );
});

test('the answer does not tell whether a token existed', async () => {
  const revoked = await (async () => {
    const admin = await AccessFixture.open(portal, 'admin');
    const made = await ApiTokenClient.personal(portal.url, admin, {
      permissions: ['devices:read'],
    });
    await admin.done('apiTokens.revoke', { id: made.id });
    return made.token;
  })();
  const answers = await Promise.all(
    [newApiToken('personal'), revoked, 'dpat_short', undefined].map(async (token) => {
      const answer = await send(token);
      const { error } = (await answer.json()) as { error: Record<string, unknown> };
      return { status: answer.status, ...error, requestId: '' };
    }),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 401, code: 2001 });
});

test('an address that guesses is stopped, and others and valid tokens are not', async () => {
  const guesses = Array.from({ length: REJECTED_TOKENS_QUOTA.burst + 20 }, () =>
    send(newApiToken('personal')),
  );
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(REJECTED_TOKENS_QUOTA.burst);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  const admin = await AccessFixture.open(portal, 'admin');
  const unused = await ApiTokenClient.personal(portal.url, admin, {
    permissions: ['devices:read'],
  });
  for (const { token } of [client, unused]) expect((await send(token)).status).toBe(200);
  address += 1;
  expect((await send(newApiToken('personal'))).status).toBe(401);
});

test('requests without a token, or with a malformed one, exhaust nothing for their address', async () => {
  for (const token of [undefined, 'dpat_short']) {
    const asked = Array.from({ length: REJECTED_TOKENS_QUOTA.burst + 20 }, () => send(token));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401]));
  }
  expect((await send(newApiToken('personal'))).status).toBe(401);
  expect((await send(client.token)).status).toBe(200);
});

test.each(['access_token', 'token', 'authorization'])(
  'a token in the address as %s is rejected, also with a valid header',
  async (name) => {
    const query = `?${name}=${name === 'authorization' ? 'Bearer%20' : ''}${client.token}`;
    for (const token of [undefined, client.token]) {
      const answer = await send(token, query);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { reason: 'api-token-in-address' } });
    }
  },
);

test('a second server accepts what the first one has created, and ends what it has revoked', async () => {
  const other = await serveInstallation(portal.installation, {
    withOwnBroker: false,
    options: ['--roles', 'web,identity'],
  });
  try {
    const admin = await AccessFixture.open(portal, 'admin');
    const made = await ApiTokenClient.personal(portal.url, admin, {
      permissions: ['devices:read'],
    });
    const there = new ApiTokenClient(other.url, made);
    expect((await there.get('/token')).status).toBe(200);
    await admin.done('apiTokens.revoke', { id: made.id });
    expect((await there.get('/token')).status).toBe(401);
  } finally {
    await other[Symbol.asyncDispose]();
  }
});
