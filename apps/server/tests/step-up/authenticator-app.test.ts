import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { StepUpOffers } from '@deviceportal/contract/step-up';
import { mutate, query, type ApiAnswer } from '../support/portal-api.ts';
import {
  serveInstallation,
  startTestServer,
  type TestServer,
} from '../support/start-test-server.ts';
import { totpNumber } from './totp-number.ts';

const EMAIL = 'admin@deviceportal.local';
const settings = { DEVICEPORTAL_PROVIDER_SET: 'authing' };
const required = { status: 403, code: 1000, reason: 'step-up-required' };

let portal: TestServer;
let database: pg.Client;
let token: string;
let secret: string;
beforeAll(async () => {
  portal = await startTestServer([], settings);
  database = new pg.Client({ connectionString: portal.installation.databaseUrl });
  await database.connect();
  token = await signIn();
  secret = await addApp();
});
afterAll(async () => {
  await database.end();
  await portal[Symbol.asyncDispose]();
});

/** A call of the provider's API. */
async function ask<Data>(path: string, body: object, bearer?: string): Promise<Data> {
  const reply = await fetch(`${portal.url}/idp${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-authing-app-id': 'deviceportal',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify(body),
  });
  return ((await reply.json()) as { readonly data: Data }).data;
}

async function signIn(): Promise<string> {
  const mutation =
    'mutation ($email: String!, $scene: EmailScene!) { sendEmail(email: $email, scene: $scene) { code } }';
  const variables = { email: EMAIL, scene: 'LOGIN_VERIFY_CODE' };
  await ask('/graphql/v2', { query: mutation, variables });
  const messages = await fetch(`${portal.url}/outbox/messages?to=${encodeURIComponent(EMAIL)}`);
  const [newest] = (await messages.json()) as { code: string }[];
  const login = { email: EMAIL, code: newest?.code };
  return (await ask<{ token: string }>('/api/v2/login/email-code', login)).token;
}

async function addApp(): Promise<string> {
  const added = await ask<{ secret: string }>('/api/v2/mfa/totp/associate', {}, token);
  const totp = totpNumber(added.secret);
  await ask('/api/v2/mfa/totp/associate/confirm', { totp }, token);
  return added.secret;
}

/** As if the app had been set up yesterday, and its numbers not been used. */
const age = (): Promise<unknown> =>
  database.query(
    `update identity.provider_totp set last_step = null, modified_at = now() - interval '25 hours'`,
  );

const call = (path: string, input?: object, url = portal.url): Promise<ApiAnswer> =>
  mutate(url, { path, input, token, confirms: false });
const confirm = (code: string, url?: string) => call('stepUp.confirmByApp', { code }, url);
const createRole = (): Promise<ApiAnswer> =>
  call('access.roles.create', {
    ...{ name: `Role ${crypto.randomUUID()}`, permissions: [], scope: {} },
  });

async function offers(): Promise<StepUpOffers> {
  return (await query(portal.url, { path: 'stepUp.getOffers', token })).data as StepUpOffers;
}

async function newestEvent(): Promise<unknown> {
  const { data } = await query(portal.url, {
    path: 'auditTrail.list',
    input: { filter: { types: ['access.step-up-confirmed', 'access.step-up-failed'] } },
    token,
  });
  return (data as { rows: unknown[] }).rows[0];
}

function wrongNumber(): string {
  const right = totpNumber(secret);
  return right.replace(/^\d/, (first) => String((Number(first) + 5) % 10));
}

describe('an authenticator app', () => {
  beforeEach(async () => {
    await age();
    await call('stepUp.end');
  });

  test('that was set up in the last 24 hours confirms nothing: it could be that of a stolen session', async () => {
    await database.query(
      `update identity.provider_totp set modified_at = now() - interval '23 hours'`,
    );
    const { methods, hindrances } = await offers();
    expect(methods).toMatchObject([{ method: 'email' }]);
    expect(hindrances).toMatchObject([{ reason: 'app-new', until: expect.any(String) }]);
    expect(await confirm(totpNumber(secret))).toMatchObject({
      reason: 'step-up-method-unavailable',
    });
    expect(await createRole()).toMatchObject(required);
  });

  test('confirms the session by its number, and codes by email are then not offered', async () => {
    expect(await offers()).toEqual({
      ...{ methods: [{ method: 'app', destination: null }], hindrances: [] },
    });
    expect(await createRole()).toMatchObject(required);
    expect(await confirm(totpNumber(secret))).toMatchObject({ status: 200 });
    expect(await createRole()).toMatchObject({ status: 200 });
    expect(await newestEvent()).toMatchObject({
      ...{ type: 'access.step-up-confirmed', data: { method: 'app' } },
    });
  });

  test('does not confirm by a number that was used before', async () => {
    const number = totpNumber(secret);
    expect(await confirm(number)).toMatchObject({ status: 200 });
    await call('stepUp.end');
    expect(await confirm(number)).toMatchObject({ code: 3001, reason: 'step-up-number-wrong' });
    expect(await createRole()).toMatchObject(required);
  });

  test('confirms once, also for concurrent calls with one number', async () => {
    const number = totpNumber(secret);
    const answers = await Promise.all(Array.from({ length: 6 }, () => confirm(number)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('does not confirm by a wrong number, which is recorded', async () => {
    for (const number of [wrongNumber(), 'no number', '1'.repeat(64)]) {
      expect(await confirm(number)).toMatchObject({ code: 3001, reason: 'step-up-number-wrong' });
    }
    expect(await createRole()).toMatchObject(required);
    expect(await newestEvent()).toMatchObject({
      ...{ type: 'access.step-up-failed', data: { method: 'app', reason: 'wrong' } },
    });
  });

  test('is guessed at 30 times a day, and then not even its number confirms', async () => {
    await using strict = await serveInstallation(portal.installation, {
      ...{ withOwnBroker: false, options: ['--roles', 'web,identity'] },
      env: { ...settings, DEVICEPORTAL_SIGN_IN_LIMITS: 'on' },
    });
    const wrong = wrongNumber();
    for (let guess = 0; guess < 30; guess += 1) {
      expect(await confirm(wrong, strict.url)).toMatchObject({ code: 3001 });
    }
    expect(await confirm(totpNumber(secret), strict.url)).toMatchObject({
      ...{ status: 429, reason: 'step-up-too-many' },
    });
    expect(await createRole()).toMatchObject(required);
  });
});
