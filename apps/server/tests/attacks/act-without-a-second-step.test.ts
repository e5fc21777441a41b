import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { StepUpOffers } from '@deviceportal/contract/step-up';
import { AccessFixture } from '../support/access-fixture.ts';
import {
  askPool,
  confirmByEmail,
  mutate,
  query,
  readStepUpCode,
  signIn,
  type ApiAnswer,
} from '../support/portal-api.ts';
import {
  serveInstallation,
  startTestServer,
  type TestServer,
} from '../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessFixture;
let database: pg.Client;
beforeAll(async () => {
  portal = await startTestServer();
  database = new pg.Client({ connectionString: portal.installation.databaseUrl });
  await database.connect();
  admin = await AccessFixture.open(portal, 'admin');
});
afterAll(async () => {
  await database.end();
  await portal[Symbol.asyncDispose]();
});

/** A call that grants rights. */
function createRole(token: string, url = portal.url): Promise<ApiAnswer> {
  const input = { name: `Role ${crypto.randomUUID()}`, permissions: [], scope: {} };
  return mutate(url, { path: 'access.roles.create', input, token, confirms: false });
}

const call = (token: string, path: string, input?: unknown): Promise<ApiAnswer> =>
  mutate(portal.url, { path: `stepUp.${path}`, input, token, confirms: false });
const sendCode = (token: string) => call(token, 'sendCode', { channel: 'email' });
const confirm = (token: string, code: string) =>
  call(token, 'confirmByCode', { channel: 'email', code });
const required = { status: 403, code: 1000, reason: 'step-up-required' };

let token: string;
beforeEach(async () => {
  token = await portal.signIn('admin');
});

describe('a session without a fresh second step', () => {
  test('is refused what grants rights, with the methods that are possible', async () => {
    const answer = await createRole(token);
    expect(answer).toMatchObject(required);
    expect(answer.body).toMatchObject({
      error: {
        json: { data: { portal: { facts: { purpose: 'grants-rights', methods: 'email' } } } },
      },
    });
  });

  test('is let through for five minutes after a code, and the confirmation is in the trail', async () => {
    expect(await sendCode(token)).toMatchObject({ status: 200 });
    expect(await confirm(token, await readStepUpCode(portal.url, token))).toMatchObject({
      status: 200,
    });
    expect(await createRole(token)).toMatchObject({ status: 200 });
    const [event] = await admin.trail('access.step-up-confirmed');
    expect(event).toMatchObject({ data: { method: 'email' } });
    await database.query(`update step_up set confirmed_at = confirmed_at - interval '5 minutes'`);
    expect(await createRole(token)).toMatchObject(required);
  });

  test('is refused only the members of a batch that need a second step', async () => {
    const answers = await batch(token, ['access.roles.create', 'session.savePreferences'], {
      '0': { json: { name: `Role ${crypto.randomUUID()}`, permissions: [], scope: {} } },
      '1': { json: {} },
    });
    expect(answers.map(({ error }) => error?.json.data.portal.reason ?? null)).toEqual([
      'step-up-required',
      null,
    ]);
  });
});

interface BatchAnswer {
  readonly error?: { readonly json: { readonly data: { readonly portal: { reason: string } } } };
}

async function batch(bearer: string, paths: readonly string[], body: object) {
  const reply = await fetch(`${portal.url}/api/trpc/${paths.join(',')}?batch=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await reply.json()) as BatchAnswer[];
}

describe('a second step', () => {
  test('of another session of the same user does not count', async () => {
    await confirmByEmail(portal.url, token);
    expect(await createRole(token)).toMatchObject({ status: 200 });
    expect(await createRole(await portal.signIn('admin'))).toMatchObject(required);
  });

  test('cannot be confirmed in another session by its code', async () => {
    const other = await portal.signIn('admin');
    await sendCode(token);
    expect(await confirm(other, await readStepUpCode(portal.url, token))).toMatchObject({
      code: 3001,
      reason: 'step-up-code-ended',
    });
  });

  test('cannot be confirmed by the code of a sign-in', async () => {
    await askPool(portal.url, 'InitiateAuth', {
      AuthFlow: 'CUSTOM_AUTH',
      ClientId: 'deviceportalweb',
      AuthParameters: { USERNAME: 'admin@deviceportal.local' },
    });
    const signInCode = await readStepUpCode(portal.url, token);
    expect(await confirm(token, signInCode)).toMatchObject({ code: 3001 });
  });

  test('ends with the session', async () => {
    await confirmByEmail(portal.url, token);
    await mutate(portal.url, { path: 'session.endOtherSignIns', token });
    const { sessions } = (await query(portal.url, { path: 'session.signIns', token })).data as {
      sessions: { id: string; current: boolean }[];
    };
    const sessionId = sessions.find(({ current }) => current)?.id;
    await mutate(portal.url, { path: 'session.endSignIn', input: { sessionId }, token });
    expect(await createRole(token)).toMatchObject({ status: 401, code: 2001 });
    admin = await AccessFixture.open(portal, 'admin');
  });

  test('is withdrawn by a sign-out that the provider does not report', async () => {
    await confirmByEmail(portal.url, token);
    expect(await call(token, 'end')).toMatchObject({ status: 200 });
    expect(await createRole(token)).toMatchObject(required);
  });
});

describe('a code', () => {
  test('confirms once, also for two servers that receive it at the same time', async () => {
    await using second = await serveInstallation(portal.installation, {
      withOwnBroker: false,
      options: ['--roles', 'web,identity'],
    });
    await sendCode(token);
    const code = await readStepUpCode(portal.url, token);
    const input = { channel: 'email', code };
    const path = 'stepUp.confirmByCode';
    const answers = await Promise.all(
      [portal.url, second.url, portal.url, second.url].map((url) =>
        mutate(url, { path, input, token }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
    // The proof holds on the server that did not check it.
    expect(await createRole(token, second.url)).toMatchObject({ status: 200 });
  });

  test('is void after three wrong answers, which are in the trail', async () => {
    await sendCode(token);
    const code = await readStepUpCode(portal.url, token);
    const wrong = code === '000000' ? '111111' : '000000';
    const before = (await admin.trail('access.step-up-failed')).length;
    for (const attemptsLeft of [2, 1, 0]) {
      expect(await confirm(token, wrong)).toMatchObject({
        reason: 'step-up-code-wrong',
        body: { error: { json: { data: { portal: { facts: { attemptsLeft } } } } } },
      });
    }
    expect(await confirm(token, code)).toMatchObject({ reason: 'step-up-code-ended' });
    expect(await createRole(token)).toMatchObject(required);
    expect((await admin.trail('access.step-up-failed')).length).toBe(before + 4);
  });

  test('is not requested or entered by another website, which has no token', async () => {
    for (const path of ['stepUp.sendCode', 'stepUp.confirmByCode']) {
      const reply = await fetch(`${portal.url}/api/trpc/${path}`, {
        method: 'POST',
        headers: { origin: 'https://evil.example', 'content-type': 'text/plain' },
        body: JSON.stringify({ json: { channel: 'email', code: '000000' } }),
      });
      expect([401, 415]).toContain(reply.status);
    }
  });
});

test('guessing ends with the limits of sign-in codes, and sent codes are limited', async () => {
  await using strict = await serveInstallation(portal.installation, {
    withOwnBroker: false,
    options: ['--roles', 'web,identity'],
    env: { DEVICEPORTAL_SIGN_IN_LIMITS: 'on' },
  });
  const send = () =>
    mutate(strict.url, { path: 'stepUp.sendCode', input: { channel: 'email' }, token });
  expect(await send()).toMatchObject({ status: 200 });
  expect(await send()).toMatchObject({ status: 429, reason: 'step-up-too-many' });
  let answer: ApiAnswer | undefined;
  for (let attempt = 0; attempt < 31; attempt += 1) {
    const input = { channel: 'email', code: 'wrong' };
    answer = await mutate(strict.url, { path: 'stepUp.confirmByCode', input, token });
  }
  expect(answer).toMatchObject({ status: 429, reason: 'step-up-too-many' });
});

describe('an address that was changed in a stolen session', () => {
  const offers = async (bearer: string): Promise<StepUpOffers> =>
    (await query(portal.url, { path: 'stepUp.getOffers', token: bearer })).data as StepUpOffers;

  test('receives no code for a day, also if it is the only one', async () => {
    const address = `changed-${crypto.randomUUID().slice(0, 8)}@example.com`;
    const { id } = await admin.invite(address, 'Administrator');
    const own = await signIn(portal.url, address);
    expect(await offers(own)).toMatchObject({
      methods: [{ method: 'email', destination: 'c•••@example.com' }],
    });
    await database.query(`update portal_user set email = 'evil@example.com' where id = '${id}'`);
    await database.query(
      `update identity.account set email = 'evil@example.com' where email = '${address}'`,
    );
    expect(await offers(own)).toMatchObject({
      methods: [],
      hindrances: [{ reason: 'contact-changed' }],
    });
    expect(await sendCode(own)).toMatchObject({ reason: 'step-up-method-unavailable' });
    await database.query(
      `update portal_user set email_changed_at = email_changed_at - interval '24 hours'
        where id = '${id}'`,
    );
    expect(await offers(own)).toMatchObject({ methods: [{ method: 'email' }] });
  });

  test('receives no code before the directory has verified it', async () => {
    const address = `unverified-${crypto.randomUUID().slice(0, 8)}@example.com`;
    await admin.invite(address, 'Administrator');
    const own = await signIn(portal.url, address);
    await database.query(
      `update identity.account set email_verified = false where email = '${address}'`,
    );
    expect(await offers(own)).toMatchObject({
      methods: [],
      hindrances: [{ reason: 'contact-unverified' }],
    });
  });
});
