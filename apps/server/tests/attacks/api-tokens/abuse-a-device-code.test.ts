import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVICE_GRANT, oauthPaths } from '@deviceportal/contract/device-grant';
import { newDeviceCode, newUserCode } from '../../../src/api-tokens/device-grant/device-code.ts';
import { TOKEN_QUOTA } from '../../../src/api-tokens/device-grant/device-grant-routes.ts';
import { openDatabase, type Database } from '../../../src/platform/database/database.ts';
import { ApiTokenClient } from '../../api-tokens/api-token-client.ts';
import { DeviceGrantClient, newAddress, sendForm } from '../../api-tokens/device-grant-client.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { mutate, signIn } from '../../support/portal-api.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let database: Database;
let admin: AccessFixture;

beforeAll(async () => {
  portal = await startTestServer([], { DEVICEPORTAL_TRUST_PROXY: '127.0.0.1' });
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  admin = await AccessFixture.open(portal, 'admin');
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

const { ofUser, ofAddress } = DEVICE_GRANT.mostFailures;

/** A user who enters codes from an address. */
async function guesser(name: string, address: string) {
  await admin.invite(`${name}@example.com`, 'Support');
  const token = await signIn(portal.url, `${name}@example.com`);
  const enter = (userCode: string) =>
    mutate(portal.url, {
      ...{ path: 'apiTokens.findApplication', input: { userCode }, token },
      headers: { 'x-forwarded-for': address },
    });
  return { enter };
}

describe('guessing user codes', () => {
  test('a user is locked after some incorrect codes, also for the correct one, and with concurrent attempts', async () => {
    const app = await DeviceGrantClient.start(portal.url);
    const { enter } = await guesser('guesser', newAddress());
    const guesses = Array.from({ length: ofUser + 10 }, () => enter(newUserCode()));
    const reasons = (await Promise.all(guesses)).map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === 'user-code-unknown')).toHaveLength(ofUser);
    expect(reasons.filter((reason) => reason === 'user-code-locked')).toHaveLength(10);
    expect(await enter(app.codes.user_code)).toMatchObject({ reason: 'user-code-locked' });
    const locks = await admin.trail('access.user-code-locked');
    expect(locks.filter(({ actor }) => actor.name.startsWith('guesser'))).toHaveLength(1);
    await database.orm.execute(sql`update user_code_failure set until = portal_now()`);
    expect(await enter(app.codes.user_code)).toMatchObject({ status: 200 });
  });

  test('an address is locked after the incorrect codes of several users, and others are not', async () => {
    const address = newAddress();
    const users = Array.from({ length: Math.ceil(ofAddress / ofUser) }, (_, index) => index);
    for (const index of users) {
      const { enter } = await guesser(`crowd-${index}`, address);
      for (let count = 1; count < ofUser; count += 1) await enter(newUserCode());
    }
    const { enter } = await guesser('crowd-last', address);
    const reasons: unknown[] = [];
    for (let count = 1; count < ofUser; count += 1)
      reasons.push((await enter(newUserCode())).reason);
    expect(reasons.at(-1)).toBe('user-code-locked');
    const app = await DeviceGrantClient.start(portal.url);
    const elsewhere = await guesser('elsewhere', newAddress());
    expect((await elsewhere.enter(app.codes.user_code)).status).toBe(200);
  });

  test('correct codes do not count', async () => {
    const app = await DeviceGrantClient.start(portal.url);
    const { enter } = await guesser('careful', newAddress());
    for (let count = 0; count < ofUser + 2; count += 1) {
      expect((await enter(app.codes.user_code)).status).toBe(200);
    }
  });
});

describe('a device code', () => {
  test('gives one token; a second use ends that token', async () => {
    const app = await DeviceGrantClient.start(portal.url);
    await admin.done('apiTokens.approveApplication', app.approval());
    const { body } = await app.ask();
    const client = new ApiTokenClient(portal.url, { id: '', token: body.access_token ?? '' });
    expect((await client.get('/token')).status).toBe(200);
    expect((await app.ask()).body.error).toBe('invalid_grant');
    expect((await client.get('/token')).status).toBe(401);
  });

  test('gives one token also to concurrent requests', async () => {
    const app = await DeviceGrantClient.start(portal.url);
    await admin.done('apiTokens.approveApplication', app.approval({ name: 'raced' }));
    await Promise.all(Array.from({ length: 10 }, () => app.ask()));
    const { rows } = await database.orm.execute<{ count: number }>(
      sql`select count(*)::int as count from api_token where name = 'raced'`,
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  test('is of no use to another application, and is stored as a hash', async () => {
    const app = await DeviceGrantClient.start(portal.url);
    await admin.done('apiTokens.approveApplication', app.approval());
    expect((await app.ask({ client_id: 'other' })).body.error).toBe('invalid_grant');
    const { rows } = await database.orm.execute(sql`select t::text from device_authorization t`);
    expect(JSON.stringify(rows)).not.toContain(app.codes.device_code.slice(5));
  });

  test('an application that asks too often must ask less often, and gets no token before', async () => {
    const app = await DeviceGrantClient.start(portal.url);
    expect((await app.ask()).body.error).toBe('authorization_pending');
    await admin.done('apiTokens.approveApplication', app.approval());
    expect((await app.ask()).body.error).toBe('slow_down');
    await database.orm.execute(sql`
      update device_authorization set last_asked_at = portal_now() - interval '6 seconds'
      where user_code = ${app.codes.user_code}`);
    expect((await app.ask()).body.error).toBe('slow_down');
    expect((await app.askLater(database)).status).toBe(200);
  });

  test('cannot be guessed faster than an address may ask', async () => {
    const address = newAddress();
    const guesses = Array.from({ length: TOKEN_QUOTA.burst + 50 }, () =>
      sendForm(
        portal.url,
        oauthPaths.token,
        {
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          ...{ device_code: newDeviceCode(), client_id: 'x' },
        },
        address,
      ),
    );
    const errors = (await Promise.all(guesses)).map(({ body }) => body.error);
    expect(errors.filter((error) => error === 'slow_down').length).toBeGreaterThan(20);
    expect(errors).not.toContain(undefined);
  });
});

describe('an approval', () => {
  test('happens once, also by two users at the same time', async () => {
    const app = await DeviceGrantClient.start(portal.url);
    const support = await AccessFixture.open(portal, 'support');
    await support.done('apiTokens.revoke', { id: (await own(support, 'warm-up')).id });
    const answers = await Promise.all(
      [admin, support].map((user) => user.order('apiTokens.approveApplication', app.approval())),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const again = await admin.order('apiTokens.approveApplication', app.approval());
    expect(again).toMatchObject({ reason: 'user-code-unknown' });
    const denied = await admin.order('apiTokens.denyApplication', {
      userCode: app.codes.user_code,
    });
    expect(denied).toMatchObject({ reason: 'user-code-unknown' });
  });

  test.each(['stays suspended', 'is restored'])(
    'gives no token after its user was suspended and %s',
    async (then) => {
      const name = `leaver-${then.replaceAll(' ', '-')}@example.com`;
      const { id } = await admin.invite(name, 'Support');
      const leaver = await AccessFixture.open(portal, name);
      const app = await DeviceGrantClient.start(portal.url);
      await leaver.done('apiTokens.approveApplication', app.approval());
      const set = (act: string) =>
        admin.done('access.users.changeStatus', { id, act, reason: 'leaves' });
      await set('suspend');
      if (then === 'is restored') await set('restore');
      expect((await app.ask()).body.error).toBe('access_denied');
    },
  );

  test('gives no token after its user was disabled in the user pool, or has lost the permission', async () => {
    const disabled = await admin.invite('disabled-pool@example.com', 'Support');
    const demoted = await admin.invite('demoted@example.com', 'Support');
    const apps = await Promise.all(
      ['disabled-pool', 'demoted'].map(async (name) => {
        const user = await AccessFixture.open(portal, `${name}@example.com`);
        const app = await DeviceGrantClient.start(portal.url);
        await user.done('apiTokens.approveApplication', app.approval());
        return app;
      }),
    );
    await database.orm.execute(sql`
      update identity.pool_user set enabled = false
      where sub = (select subject::uuid from portal_user where id = ${disabled.id})`);
    const { id: remove } = await admin.role('Support');
    await admin.done('access.users.changeRoles', { id: demoted.id, add: [], remove: [remove] });
    for (const app of apps) expect((await app.ask()).body.error).toBe('access_denied');
  });
});

/** A token of a user, so that their second step is fresh. */
const own = (user: AccessFixture, name: string) =>
  user.done<{ readonly id: string }>('apiTokens.createPersonal', {
    ...{ name, permissions: ['devices:read'] },
  });
