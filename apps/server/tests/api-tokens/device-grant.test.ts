import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OwnApiTokens } from '@deviceportal/contract/api-tokens';
import { DEVICE_CODE_GRANT_TYPE, oauthPaths } from '@deviceportal/contract/device-grant';
import { openDatabase, type Database } from '../../src/platform/database/database.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { mutate } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';
import { ApiTokenClient } from './api-token-client.ts';
import { DeviceGrantClient, sendForm } from './device-grant-client.ts';

let portal: TestServer;
let database: Database;
let support: AccessFixture;

beforeAll(async () => {
  portal = await startTestServer([], { DEVICEPORTAL_TRUST_PROXY: '127.0.0.1' });
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  support = await AccessFixture.open(portal, 'support');
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

describe('the sign-in of an application', () => {
  test('gives it a token of the user who approves the code, with what the user has selected', async () => {
    const app = await DeviceGrantClient.start(portal.url, { scope: 'devices:read commands:read' });
    expect(app.codes).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: expect.stringMatching(/\/activate$/),
      verification_uri_complete: expect.stringContaining(`user_code=${app.codes.user_code}`),
      ...{ expires_in: 600, interval: 5 },
    });
    expect((await app.ask()).body.error).toBe('authorization_pending');
    const userCode = app.codes.user_code;
    expect(await support.done('apiTokens.findApplication', { userCode })).toMatchObject({
      ...{ clientId: 'test-cli', address: app.address, mostDays: 90 },
      permissions: ['devices:read', 'commands:read'],
    });
    await support.done(
      'apiTokens.approveApplication',
      app.approval({ scope: { countries: ['DE'] } }),
    );
    const { status, headers, body } = await app.askLater(database);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', scope: 'devices:read' },
    });
    expect(headers.get('cache-control')).toBe('no-store');
    const client = new ApiTokenClient(portal.url, { id: '', token: body.access_token ?? '' });
    expect((await client.get('/token')).body).toMatchObject({
      ...{ kind: 'personal', name: 'my laptop' },
      grants: [{ permissions: ['devices:read'], scope: { countries: ['DE'] } }],
    });
    const { tokens } = await support.read<OwnApiTokens>('apiTokens.listOwn');
    expect(tokens.filter(({ name }) => name === 'my laptop')).toHaveLength(1);
  });

  test('records the decision, and the token with the address of the application', async () => {
    const app = await DeviceGrantClient.start(portal.url, { clientId: 'traced-cli' });
    await support.done('apiTokens.approveApplication', app.approval({ name: 'traced' }));
    await app.ask();
    const admin = await AccessFixture.open(portal, 'admin');
    const trail = await admin.trail('access.application-approved', 'access.api-token-created');
    const own = trail.filter(({ data }) => data['clientId'] === 'traced-cli');
    expect(own).toMatchObject([
      { type: 'access.api-token-created', actor: { address: app.address } },
      { type: 'access.application-approved', actor: { address: '127.0.0.1' } },
    ]);
    expect(JSON.stringify(own)).not.toContain(app.codes.device_code);
  });

  test('ends when the user denies it', async () => {
    const app = await DeviceGrantClient.start(portal.url);
    await support.done('apiTokens.denyApplication', { userCode: app.codes.user_code });
    expect((await app.ask()).body.error).toBe('access_denied');
  });

  test('ends when its code expires, for the application and for the user', async () => {
    const app = await DeviceGrantClient.start(portal.url);
    await database.orm.execute(sql`
      update device_authorization set expires_at = portal_now() where user_code = ${app.codes.user_code}`);
    expect((await app.ask()).body.error).toBe('expired_token');
    expect(await support.order('apiTokens.approveApplication', app.approval())).toMatchObject({
      reason: 'user-code-unknown',
    });
  });

  test('requires a fresh second step of the user', async () => {
    const app = await DeviceGrantClient.start(portal.url);
    const token = await portal.signIn('support');
    const call = { path: 'apiTokens.approveApplication', input: app.approval(), token };
    expect(await mutate(portal.url, { ...call, confirms: false })).toMatchObject({
      reason: 'step-up-required',
    });
    expect((await app.ask()).body.error).toBe('authorization_pending');
  });

  test.each([
    ['a permission that the user does not have', { permissions: ['commands:run:@disrupts'] }, 1000],
    ['more days than the installation allows', { days: 91 }, 2004],
    ['a permission that no token has', { permissions: ['access:manage'] }, 2004],
  ])('cannot be approved with %s', async (_what, over, code) => {
    const app = await DeviceGrantClient.start(portal.url);
    const answer = await support.order('apiTokens.approveApplication', app.approval(over));
    expect(answer).toMatchObject({ code });
    expect((await app.ask()).body.error).toBe('authorization_pending');
  });
});

describe('the endpoints', () => {
  test.each([
    ['without a name', {}, 'invalid_request'],
    ['with a misleading name', { client_id: 'deviceportal\u202Ecli' }, 'invalid_request'],
    ['for a permission that no token has', { scope: 'access:manage' }, 'invalid_scope'],
    ['for an unknown permission', { scope: 'openid' }, 'invalid_scope'],
  ])('start no sign-in %s', async (what, over, error) => {
    const fields = { ...(what !== 'without a name' && { client_id: 'x' }), ...over };
    const answer = await sendForm(portal.url, oauthPaths.deviceAuthorization, fields);
    expect(answer).toMatchObject({ status: 400, body: { error } });
  });

  test('answer as OAuth requires for other grants, bodies, and repeated parameters', async () => {
    const password = { grant_type: 'password', client_id: 'x' };
    expect((await sendForm(portal.url, oauthPaths.token, password)).body.error).toBe(
      'unsupported_grant_type',
    );
    const post = (body: string, type: string) =>
      fetch(`${portal.url}${oauthPaths.token}`, {
        ...{ method: 'POST', body, headers: { 'content-type': type } },
      });
    const json = await post('{}', 'application/json');
    expect(await json.json()).toMatchObject({ error: 'invalid_request' });
    const twice = `grant_type=${encodeURIComponent(DEVICE_CODE_GRANT_TYPE)}&client_id=a&client_id=b`;
    const repeated = await post(twice, 'application/x-www-form-urlencoded');
    expect(await repeated.json()).toMatchObject({ error: 'invalid_request' });
  });

  test('are named in the metadata', async () => {
    const answer = await fetch(`${portal.url}${oauthPaths.metadata}`);
    expect(await answer.json()).toMatchObject({
      device_authorization_endpoint: expect.stringMatching(/\/oauth\/device-authorization$/),
      grant_types_supported: [DEVICE_CODE_GRANT_TYPE],
      token_endpoint_auth_methods_supported: ['none'],
    });
  });
});

describe('the revocation by an application', () => {
  test('ends its token, and answers the same for an unknown one', async () => {
    const client = await ApiTokenClient.personal(portal.url, support, {
      ...{ name: 'signs out', permissions: ['devices:read'] },
    });
    const revoke = () => sendForm(portal.url, oauthPaths.revocation, { token: client.token });
    expect(await revoke()).toMatchObject({ status: 200, body: {} });
    expect((await client.get('/token')).status).toBe(401);
    expect(await revoke()).toMatchObject({ status: 200, body: {} });
    const admin = await AccessFixture.open(portal, 'admin');
    const trail = await admin.trail('access.api-token-revoked');
    expect(trail.filter(({ data }) => data['apiTokenId'] === client.id)).toMatchObject([
      { data: { reason: 'revoked-by-holder' }, actor: { kind: 'user' } },
    ]);
  });
});
