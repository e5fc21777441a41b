import type { ApiCall } from '@deviceportal/contract/api-calls';
import type { SessionRefusal } from '@deviceportal/contract/session-refusals';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { askPool, query, signInForTokens } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let admin: string;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await portal.signIn('admin');
});
afterAll(() => portal[Symbol.asyncDispose]());

const address = (path: string): string => `${portal.url}/api/trpc/${path}`;
const statusOf = async (reply: Promise<Response>): Promise<number> => (await reply).status;

/** What the record of the newest refused call says. */
const refusals = async (): Promise<(SessionRefusal | null)[]> => {
  const input = { path: 'session.get', onlyErrors: true };
  const answer = await query(portal.url, { path: 'apiCalls.list', input, token: admin });
  return (answer.data as { rows: ApiCall[] }).rows.map(({ refusal }) => refusal);
};

describe('the token of a call', () => {
  test('[bearer-1] is read from the header, the query or the body', async () => {
    const remember = address('session.remember');
    const item = { kind: 'document', id: 'a-document', label: 'A document' };
    const header = { authorization: `bearer   ${admin} ` };
    expect(await statusOf(fetch(address('session.get'), { headers: header }))).toBe(200);
    const inQuery = `${address('session.get')}?authorization=${encodeURIComponent(`Bearer ${admin}`)}`;
    expect(await statusOf(fetch(inQuery))).toBe(200);
    const post = (body: object) =>
      fetch(remember, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect(await statusOf(post({ json: item, authorization: `Bearer ${admin}` }))).toBe(200);
    expect(await statusOf(post({ json: item }))).toBe(401);
    expect(await statusOf(post({ json: item, authorization: { Bearer: admin } }))).toBe(401);
  });

  test('[bearer-2] never comes from a cookie, so that another page can do nothing in somebody’s name', async () => {
    const pool = 'CognitoIdentityServiceProvider.deviceportalweb';
    const cookie = `${pool}.LastAuthUser=x; ${pool}.x.idToken=${admin}; authorization=Bearer ${admin}`;
    expect(await statusOf(fetch(address('session.get'), { headers: { cookie } }))).toBe(401);
    const forged = fetch(address('session.remember'), {
      method: 'POST',
      headers: { cookie, 'content-type': 'text/plain', origin: 'https://evil.example' },
      body: '{"json":{}}',
    });
    expect(await statusOf(forged)).toBe(415);
  });

  test('[bearer-3] when it is refused, its caller learns nothing and the record of the call why', async () => {
    const [header = '', payload = '', signature = ''] = admin.split('.');
    const { AccessToken } = await signInForTokens(portal.url, 'viewer@deviceportal.local');
    const wrong: readonly [string | undefined, SessionRefusal][] = [
      [undefined, 'no-token'],
      ['x', 'malformed-token'],
      [`${header}.${payload}.${signature.split('').toReversed().join('')}`, 'bad-signature'],
      // Signed with the key for access tokens, which is published too.
      [AccessToken, 'wrong-token-use'],
    ];
    for (const [token, refusal] of wrong) {
      const answer = await query(portal.url, { path: 'session.get', token });
      expect(answer).toMatchObject({ status: 401, code: 2001 });
      expect(JSON.stringify(answer.body)).not.toContain(refusal);
      await expect.poll(refusals, { timeout: 5_000 }).toContain(refusal);
    }
  });

  test('[bearer-4] ends with its sign-in, at once, though it was good a moment ago', async () => {
    const tokens = await signInForTokens(portal.url, 'support@deviceportal.local');
    const ask = () => query(portal.url, { path: 'session.get', token: tokens.IdToken });
    expect((await ask()).status).toBe(200);
    await askPool(portal.url, 'GlobalSignOut', { AccessToken: tokens.AccessToken });
    expect((await ask()).status).toBe(401);
    await expect.poll(refusals, { timeout: 5_000 }).toContain('signed-out');
  });

  test.each([
    ['support', `update portal_user set status = 'Suspended' where email = $1`],
    [
      'operator',
      'update identity.pool_user u set enabled = false from identity.account a where a.account_id = u.account_id and a.email = $1',
    ],
  ])('[bearer-5] ends when %s may not sign in any more, at once', async (who, statement) => {
    const token = await portal.signIn(who);
    const ask = () => query(portal.url, { path: 'session.get', token });
    expect((await ask()).status).toBe(200);
    await using database = openDatabase({ url: portal.installation.databaseUrl });
    await database.pool.query(statement, [`${who}@deviceportal.local`]);
    expect((await ask()).status).toBe(401);
  });
});
