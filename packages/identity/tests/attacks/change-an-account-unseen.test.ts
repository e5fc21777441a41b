import { AuthenticationClient } from 'authing-js-sdk';
import { generate } from 'otplib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProvider, type OpenProvider } from '../provider/support/open-provider.ts';
import { call, signIn } from '../provider/support/rest-calls.ts';

const PASSWORD = 'Correct horse 1';
const OLD = 'ada@example.com';
const NEW = 'eve@example.com';

let idp: OpenProvider;
let client: AuthenticationClient;
beforeEach(async () => {
  idp = await openProvider();
  client = new AuthenticationClient({ appId: idp.appId, appHost: idp.host, lang: 'en-US' });
});
afterEach(() => idp[Symbol.asyncDispose]());

/** What people were told, without codes. */
const notices = () =>
  idp.messages.flatMap((message) =>
    message.kind === 'account-changed'
      ? [{ to: message.to, change: message.change, locale: message.locale }]
      : [],
  );

async function changeEmail(): Promise<void> {
  await client.loginByEmail(OLD, PASSWORD);
  await client.sendEmail(OLD, 'CHANGE_EMAIL' as never);
  await client.sendEmail(NEW, 'CHANGE_EMAIL' as never);
  await client.updateEmail(NEW, idp.codeFor(NEW), OLD, idp.codeFor(OLD));
}

test('[unseen-change-1] the previous and the new email address are notified of a change', async () => {
  await idp.makeUser({ email: OLD, emailVerified: true, password: PASSWORD });
  await changeEmail();
  expect(notices()).toEqual([
    { to: OLD, change: 'email', locale: 'en' },
    { to: NEW, change: 'email', locale: 'en' },
  ]);
  expect(idp.messages.at(-1)).toMatchObject({
    username: OLD,
    askedFrom: { address: '127.0.0.1' },
    portalUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
  });
});

test('the notification is in the language of the user’s profile, not of the caller', async () => {
  const profile = { locale: 'zh-CN' };
  await idp.makeUser({ email: OLD, emailVerified: true, password: PASSWORD, profile });
  await changeEmail();
  expect(new Set(notices().map(({ locale }) => locale))).toEqual(new Set(['zh-CN']));
});

test('a user without an email address is notified of a changed number on both numbers', async () => {
  const username = 'ada';
  const [first, second] = ['13800000001', '13800000002'];
  await idp.makeUser({ username, password: PASSWORD });
  await client.loginByUsername(username, PASSWORD);
  await client.sendSmsCode(first, undefined, 'bind' as never);
  await client.bindPhone(first, idp.codeFor(`+86${first}`));
  await client.sendSmsCode(first, undefined, 'unbind' as never);
  await client.sendSmsCode(second, undefined, 'bind' as never);
  const codes = [idp.codeFor(`+86${second}`), idp.codeFor(`+86${first}`)] as const;
  await client.updatePhone(second, codes[0], first, codes[1]);
  expect(notices().map(({ to }) => to)).toEqual([`+86${first}`, `+86${first}`, `+86${second}`]);
});

test('[unseen-change-4] an authenticator app cannot be added or removed without a notification', async () => {
  const { token } = await signIn(idp, OLD);
  const post = (path: string, body: object) =>
    call(idp, 'POST', `/api/v2/mfa/totp/${path}`, { body, token });
  const { data } = await post('associate', {});
  const { secret } = data as { readonly secret: string };
  const totp = await generate({ secret, epoch: Math.floor(idp.clock.now() / 1_000) });
  await post('associate/confirm', { totp });
  await call(idp, 'DELETE', '/api/v2/mfa/totp/associate', { token });
  expect(notices().map(({ to, change }) => [to, change])).toEqual([
    [OLD, 'second-step-added'],
    [OLD, 'second-step-removed'],
  ]);
});

test('an unverified address is not notified, because it may belong to another person', async () => {
  await idp.makeUser({ email: OLD, password: PASSWORD });
  await client.loginByEmail(OLD, PASSWORD);
  await client.updatePassword('Another horse 2', PASSWORD);
  expect(idp.messages).toEqual([]);
});

test('many changes do not flood a mailbox', async () => {
  const { token } = await signIn(idp, OLD);
  for (let round = 0; round < 12; round += 1) {
    const { data } = await call(idp, 'POST', '/api/v2/mfa/totp/associate', { body: {}, token });
    const { secret } = data as { readonly secret: string };
    const totp = await generate({ secret, epoch: Math.floor(idp.clock.now() / 1_000) });
    await call(idp, 'POST', '/api/v2/mfa/totp/associate/confirm', { body: { totp }, token });
    await call(idp, 'DELETE', '/api/v2/mfa/totp/associate', { token });
  }
  expect(notices()).toHaveLength(20);
});

test.each([
  `${NEW}\r\nBcc: all@example.com`,
  `${NEW}\nSubject: Win`,
  `${NEW}, all@example.com`,
  `"a\r\nBcc: all@example.com" <${NEW}>`,
  `${NEW}\0`,
])('[unseen-change-7] %j cannot become the address of an email', async (address) => {
  await idp.makeUser({ email: OLD, emailVerified: true, password: PASSWORD });
  await client.loginByEmail(OLD, PASSWORD);
  await expect(client.sendEmail(address, 'CHANGE_EMAIL' as never)).rejects.toMatchObject({
    code: 400,
  });
  await expect(client.bindEmail(address, '123456')).rejects.toBeDefined();
  await expect(client.updateProfile({ username: address } as never)).rejects.toMatchObject({
    code: 400,
  });
  expect(idp.messages).toEqual([]);
});
