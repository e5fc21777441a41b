import { constants, publicEncrypt } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendSignInCode } from '../../src/hosted-page/sign-in-acts.ts';
import { createPhoneSignIn } from '../../src/qr-login/phone-page/phone-sign-in.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';

const MINUTE_MS = 60_000;
const PASSWORD = 'Correct horse 1';
/** Somebody who exists, and a name of the same shape that nobody has. */
const pairs = [
  ['an active account', 'ada', 'bob', '13800000001', '13800000009'],
  ['a suspended account', 'eve', 'bob', '13800000002', '13800000009'],
  ['an account without a password', 'kim', 'bob', '13800000003', '13800000009'],
  ['a locked account', 'max', 'bob', '13800000004', '13800000009'],
] as const;

let idp: OpenProvider;
let publicKey: string;
let work = { queries: 0, hashes: 0 };

beforeAll(async () => {
  idp = await openProvider({ hideUsers: true });
  await makePerson('ada', '13800000001', { password: PASSWORD });
  await makePerson('eve', '13800000002', { password: PASSWORD, status: 'Suspended' });
  await makePerson('kim', '13800000003', {});
  const { id } = await makePerson('max', '13800000004', { password: PASSWORD });
  await idp.pool.query(
    `insert into identity.account_guess (subject, wrong, last_at, locked_at) values ($1, 100, now(), now())`,
    [id],
  );
  const keys = await fetch(`${idp.host}/api/v2/.well-known`);
  ({ publicKey } = ((await keys.json()) as { data: { publicKey: string } }).data);
  countWork();
});
afterAll(() => idp[Symbol.asyncDispose]());
beforeEach(() => idp.clock.advance(60 * MINUTE_MS));

function makePerson(name: string, phone: string, more: object) {
  const number = { phone, phoneCountryCode: '+86', phoneE164: `+86${phone}`, phoneVerified: true };
  const names = { email: `${name}@example.com`, emailVerified: true, username: name };
  return idp.makeUser({ ...names, ...number, ...more });
}

/** What answering costs: statements, and looks at passwords, which are what takes time. */
function countWork(): void {
  const query = idp.pool.query.bind(idp.pool);
  idp.pool.query = ((...args: Parameters<typeof query>) => {
    work.queries += 1;
    return query(...args);
  }) as typeof idp.pool.query;
  const { passwords } = idp.context;
  const { matches, keep } = passwords;
  Object.assign(passwords, {
    matches: (...args: Parameters<typeof matches>) => {
      work.hashes += 1;
      return matches(...args);
    },
    keep: (...args: Parameters<typeof keep>) => {
      work.hashes += 1;
      return keep(...args);
    },
  });
}

const encrypted = (password: string): string =>
  publicEncrypt(
    { key: publicKey, padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(password),
  ).toString('base64');

async function post(path: string, body: object): Promise<unknown> {
  const reply = await fetch(idp.host + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-authing-lang': 'en-US' },
    body: JSON.stringify(body),
  });
  const text = (await reply.text()).replaceAll(/"waitMs":\d+/g, '"waitMs":0');
  return { status: reply.status, body: JSON.parse(text) as unknown };
}

const mutation = (type: string, name: string, input: object) =>
  post('/graphql/v2', {
    query: `mutation ($input: ${type}!) { ${name}(input: $input) { id } }`,
    variables: { input },
  });

const sendEmail = (email: string, scene: string) =>
  post('/graphql/v2', {
    query: `mutation ($email: String!) { sendEmail(email: $email, scene: ${scene}) { code message } }`,
    variables: { email },
  });

interface Names extends Readonly<Record<string, string>> {
  readonly username: string;
  readonly email: string;
  readonly phone: string;
}

type Step = () => Promise<unknown>;

const times = (count: number, step: Step): Step[] => Array.from({ length: count }, () => step);

const wrong = (): string => encrypted('wrong 1');

/** What a stranger can do with a name that they only know, each as often as shows a limit. */
const attempts: Readonly<Record<string, (who: Names) => readonly Step[]>> = {
  'signing in with a wrong password, by address': ({ email }) =>
    times(12, () => mutation('LoginByEmailInput', 'loginByEmail', { email, password: wrong() })),
  'signing in with a wrong password, by user name': ({ username }) =>
    times(12, () =>
      mutation('LoginByUsernameInput', 'loginByUsername', { username, password: wrong() }),
    ),
  'signing in with a wrong password, by number': ({ phone }) =>
    times(2, () =>
      mutation('LoginByPhonePasswordInput', 'loginByPhonePassword', { phone, password: wrong() }),
    ),
  'signing in with registration where there is no account': ({ email, username }) => [
    () =>
      mutation('LoginByEmailInput', 'loginByEmail', {
        ...{ email, password: wrong(), autoRegister: true },
      }),
    () =>
      mutation('LoginByUsernameInput', 'loginByUsername', {
        ...{ username, password: wrong(), autoRegister: true },
      }),
  ],
  'registering by what was only typed': ({ email, username }) => [
    () =>
      mutation('RegisterByEmailInput', 'registerByEmail', { email, password: encrypted(PASSWORD) }),
    () =>
      mutation('RegisterByUsernameInput', 'registerByUsername', {
        ...{ username, password: encrypted(PASSWORD) },
      }),
  ],
  'registering with wrong codes': ({ email, phone }) => [
    () => sendEmail(email, 'REGISTER_VERIFY_CODE'),
    ...times(4, () => post('/api/v2/register/email-code', { email, code: 'wrong' })),
    () => post('/api/v2/sms/send', { phone, scene: 'register' }),
    () => mutation('RegisterByPhoneCodeInput', 'registerByPhoneCode', { phone, code: 'wrong' }),
  ],
  'signing in with wrong codes': ({ email, phone }) => [
    ...times(2, () => sendEmail(email, 'LOGIN_VERIFY_CODE')),
    ...times(4, () => post('/api/v2/login/email-code', { email, code: 'wrong' })),
    () => post('/api/v2/sms/send', { phone, scene: 'login' }),
    ...times(4, () =>
      mutation('LoginByPhoneCodeInput', 'loginByPhoneCode', { phone, code: 'wrong' }),
    ),
  ],
  'resetting the password with wrong codes': ({ email }) => [
    () => sendEmail(email, 'RESET_PASSWORD'),
    ...times(4, () =>
      post('/graphql/v2', {
        query: `mutation ($email: String, $newPassword: String!) {
          resetPassword(email: $email, code: "wrong", newPassword: $newPassword) { code } }`,
        variables: { email, newPassword: encrypted(PASSWORD) },
      }),
    ),
  ],
  'asking whether a name is taken': (who) =>
    Object.entries(who).map(
      ([key, value]) =>
        () =>
          post('/graphql/v2', {
            query: `query ($value: String) { isUserExists(${key}: $value) }`,
            variables: { value },
          }),
    ),
  'asking for a code on the hosted page': ({ email }) =>
    times(7, async () => {
      idp.clock.advance(31_000);
      return sendSignInCode(idp.context, { account: email } as never, (await caller()) as never);
    }),
  'asking for a code on the page of a phone': ({ email }) =>
    times(7, async () => {
      idp.clock.advance(31_000);
      const phonePage = createPhoneSignIn(idp.context, '/phone');
      return phonePage.sendCode(email, (await caller()) as never);
    }),
};

async function caller(): Promise<object> {
  const application = await idp.context.applications.find(idp.appId);
  return { application, language: 'en-US', address: '192.0.2.1', requestId: 'r' };
}

/** Every answer of an attempt, and what it cost. */
async function look(steps: readonly Step[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const step of steps) {
    work = { queries: 0, hashes: 0 };
    const answer = await step().catch((error: Error) => error.message);
    seen.push({ answer, ...work });
  }
  return seen;
}

const namesOf = (username: string, phone: string): Names => ({
  ...{ username, phone, email: `${username}@example.com` },
});

describe.each(pairs)(
  '%s and no account cannot be distinguished',
  (_what, known, nobody, phone, free) => {
    test.each(Object.keys(attempts))('%s', async (what) => {
      const attempt = attempts[what] as (typeof attempts)[string];
      const seen = await look(attempt(namesOf(known, phone)));
      idp.clock.advance(60 * MINUTE_MS);
      expect(await look(attempt(namesOf(nobody, free)))).toEqual(seen);
      expect(idp.failures).toEqual([]);
    });
  },
);

test('each guess costs one password check, whether or not the account exists', async () => {
  for (const email of ['ada@example.com', 'kim@example.com', 'nobody@example.com']) {
    const step = () => mutation('LoginByEmailInput', 'loginByEmail', { email, password: wrong() });
    expect(await look([step])).toMatchObject([{ hashes: 1 }]);
  }
});

test('only a user with an account is sent a code, and signs in with it', async () => {
  const before = idp.messages.length;
  await sendEmail('nobody@example.com', 'LOGIN_VERIFY_CODE');
  await sendEmail('eve@example.com', 'LOGIN_VERIFY_CODE');
  expect(idp.messages).toHaveLength(before);
  const email = 'ada@example.com';
  await sendEmail(email, 'LOGIN_VERIFY_CODE');
  const answer = await post('/api/v2/login/email-code', { email, code: idp.codeFor(email) });
  expect(answer).toMatchObject({ body: { code: 200, data: { email } } });
});

test('a user who has verified an address is informed that it has an account', async () => {
  const email = 'ada@example.com';
  await sendEmail(email, 'REGISTER_VERIFY_CODE');
  const answer = await post('/api/v2/register/email-code', { email, code: idp.codeFor(email) });
  expect(answer).toMatchObject({ body: { code: 2026 } });
});

test('an incorrect password takes about as long with and without an account', async () => {
  await using slow = await openProvider({ hideUsers: true, limits: 'off', passwordCostBits: 13 });
  const user = await slow.makeUser({ email: 'ada@example.com', password: PASSWORD });
  const attempt = async (found: typeof user | undefined): Promise<number> => {
    const startedMs = performance.now();
    const given = { account: 'ada@example.com', sent: 'wrong', isPlain: true };
    await slow.context.signIns
      .checkPassword(found, given, (await caller()) as never)
      .catch(() => {});
    return performance.now() - startedMs;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  for (let round = 0; round < 30; round += 1) {
    known.push(await attempt(user));
    unknown.push(await attempt(undefined));
  }
  const middle = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[15] ?? 0;
  expect(middle(known) / middle(unknown)).toBeGreaterThan(0.6);
  expect(middle(known) / middle(unknown)).toBeLessThan(1.6);
});
