import { generate } from 'otplib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bothClients, type Client } from './support/both-clients.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';
import { call, signIn } from './support/rest-calls.ts';

const PASSWORD = 'Correct horse 1';
const email = 'ada@example.com';
const phone = '+8613800000001';
let idp: OpenProvider;
let client: Client;
let userId: string;

beforeEach(async () => {
  idp = await openProvider({ limits: 'off' });
  const user = await idp.makeUser({
    ...{ email, emailVerified: true, username: 'ada', password: PASSWORD },
    ...{ phone: '13800000001', phoneCountryCode: '+86', phoneE164: phone, phoneVerified: true },
  });
  userId = user.id;
  client = bothClients[0]?.[1](idp) as Client;
});
afterEach(() => idp[Symbol.asyncDispose]());

const refusalOf = (promise: Promise<unknown>): Promise<{ code: number; data: never } | undefined> =>
  promise.then(
    () => undefined,
    (error: unknown) => error as { code: number; data: never },
  );

/** So many consecutive wrong ones stand before. */
async function countWrong(wrong: number): Promise<void> {
  await idp.pool.query(
    `insert into identity.account_guess (subject, wrong, last_at, locked_at)
     values ($1, $2, now(), case when $2 >= 100 then now() end)
     on conflict (subject) do update set wrong = excluded.wrong, refused = 0, locked_at = excluded.locked_at`,
    [userId, wrong],
  );
}

async function standing(): Promise<number | undefined> {
  const { rows } = await idp.pool.query<{ wrong: number }>(
    'select wrong from identity.account_guess where subject = $1',
    [userId],
  );
  return rows[0]?.wrong;
}

test('an attacker cannot guess passwords without limit, even concurrently', async () => {
  const tries = Array.from({ length: 130 }, (_, index) =>
    refusalOf(client.loginByEmail(email, `wrong ${index}`)),
  );
  const codes = (await Promise.all(tries)).map((refusal) => refusal?.code);
  expect(new Set(codes)).toEqual(new Set([2333]));
  expect(await standing()).toBe(100);
  expect((await refusalOf(client.loginByEmail(email, PASSWORD)))?.code).toBe(2333);
});

test('an attacker with a token cannot guess the old password without limit', async () => {
  const { user, token } = await signIn(idp, 'bob@example.com');
  const kept = await idp.context.passwords.keep(PASSWORD);
  await idp.context.users.update(user.id, { passwordHash: kept.hash });
  userId = user.id;
  await countWrong(98);
  const change = (oldPassword: string) => {
    client.setToken(token);
    return refusalOf(client.updatePassword('Another horse 2', oldPassword));
  };
  expect((await change('wrong'))?.code).toBe(2232);
  expect(await standing()).toBe(99);
  await change('wrong');
  expect((await change(PASSWORD))?.code).toBe(2232);
  expect(await idp.context.tokens.listSessions(user.id)).toHaveLength(1);
});

test.each([
  ['an email address', 'LOGIN_VERIFY_CODE', email, () => client.loginByEmailCode],
  ['a phone number', undefined, phone, () => client.loginByPhoneCode],
] as const)('a stranger cannot guess codes sent to %s for ever', async (_what, scene, to, way) => {
  const send = () =>
    scene === undefined
      ? client.sendSmsCode('13800000001', '+86')
      : client.sendEmail(to, scene as never);
  const name = scene === undefined ? '13800000001' : to;
  const logIn = (code: string) =>
    refusalOf((way().bind(client) as typeof client.loginByEmailCode)(name, code));
  await countWrong(99);
  await send();
  const right = idp.codeFor(to);
  expect((await logIn(right === '000000' ? '111111' : '000000'))?.code).toBe(2001);
  expect((await logIn(right))?.code).toBe(2001);
  expect(await standing()).toBe(100);
});

test('an attacker cannot set a new password of a locked account with its code', async () => {
  await countWrong(100);
  await client.sendEmail(email, 'RESET_PASSWORD' as never);
  const reset = client.resetPasswordByEmailCode(email, idp.codeFor(email), 'Another horse 2');
  expect((await refusalOf(reset))?.code).toBe(2001);
});

test('an attacker who knows the password cannot guess second-factor codes or recovery codes without limit', async () => {
  await client.loginByEmail(email, PASSWORD);
  const app = await client.mfa.assosicateMfaAuthenticator({
    ...{ authenticatorType: 'totp', source: 'SELF' },
  } as never);
  const numberOf = (): Promise<string> => {
    idp.clock.advance(30_000);
    const epoch = Math.floor(idp.clock.now() / 1_000);
    return generate({ secret: app.secret, epoch });
  };
  await client.mfa.confirmAssosicateMfaAuthenticator({
    ...{ authenticatorType: 'totp', totp: await numberOf(), source: 'SELF' },
  } as never);
  const refused = await refusalOf(client.loginByEmail(email, PASSWORD));
  const token = (refused?.data as { mfaToken: string } | undefined)?.mfaToken ?? '';
  const step = async (name: 'verify' | 'recovery', body: object) =>
    (await call(idp, 'POST', `/api/v2/mfa/totp/${name}`, { body, token })).code;

  await countWrong(98);
  expect(await step('verify', { totp: '000000' })).toBe(2402);
  expect(await standing()).toBe(99);
  await step('recovery', { recoveryCode: 'aaaa-bbbb-cccc-dddd-eeee-ffff' });
  expect(await standing()).toBe(100);
  expect(await step('verify', { totp: await numberOf() })).toBe(2005);
  expect(await step('recovery', { recoveryCode: app.recovery_code })).toBe(2005);
  // A password that was right in between gives nothing back.
  expect((await refusalOf(client.loginByEmail(email, PASSWORD)))?.code).toBe(2333);

  await idp.provider.accounts.unlock(userId);
  expect(await step('verify', { totp: await numberOf() })).toBe(200);
  expect(await standing()).toBeUndefined();
});

test('a second-factor code is one guess, not two', async () => {
  await countWrong(98);
  const caller = {
    address: '::1',
    requestId: 'r',
    language: 'en-US',
    userAgent: undefined,
  } as never;
  const check = idp.context.codes.check(
    { to: email, purposes: ['verify-mfa'], code: '000000', isCounted: true },
    caller,
  );
  await refusalOf(check);
  expect(await standing()).toBe(98);
});

test('the owner of a locked account stays signed in, and is notified once how to recover', async () => {
  const user = await client.loginByEmail(email, PASSWORD);
  await countWrong(99);
  for (let tried = 0; tried < 3; tried += 1) await refusalOf(client.loginByEmail(email, 'wrong'));
  const session = await idp.context.tokens.verify(user.token ?? '');
  expect(session).toMatchObject({ userId });
  const notices = idp.messages.filter(({ kind }) => kind === 'account-locked');
  expect(notices).toMatchObject([{ to: email, username: 'ada' }]);
  expect(idp.events.filter(({ kind }) => kind === 'accountLocked')).toMatchObject([
    { sub: userId },
  ]);
});
