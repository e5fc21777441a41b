import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bothClients, type Client } from './support/both-clients.ts';
import { freshName, freshPhone } from './support/fresh-names.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';

let idp: OpenProvider;
beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
});
afterAll(() => idp[Symbol.asyncDispose]());

const PASSWORD = 'Correct horse 1';

describe.each(bothClients)('an account with %s', (_name, makeClient) => {
  async function signedIn(): Promise<{ client: Client; email: string; username: string }> {
    const username = freshName();
    const email = `${username}@example.com`;
    await idp.makeUser({ email, username, emailVerified: true, password: PASSWORD });
    const client = makeClient(idp);
    await client.loginByEmail(email, PASSWORD);
    return { client, email, username };
  }

  it('the profile changes, and the client stays signed in', async () => {
    const { client, email } = await signedIn();
    const user = await client.updateProfile({
      nickname: 'Ada',
      city: '柏林',
      photo: 'https://x/y.png',
    });
    expect(user).toMatchObject({ nickname: 'Ada', city: '柏林', email });
    expect(await client.getCurrentUser()).toMatchObject({ nickname: 'Ada', identities: [] });
    expect(await client.checkLoginStatus()).toMatchObject({ code: 200, status: true });
  });

  it('[idp-account-2] users cannot change fields that administrators manage', async () => {
    const { client } = await signedIn();
    for (const update of [
      { blocked: false },
      { emailVerified: true },
      { email: 'other@example.com' },
    ]) {
      await expect(client.updateProfile(update as never)).rejects.toMatchObject({ code: 1004 });
    }
  });

  it('[idp-account-3] changing the password requires the old one and ends all other sign-ins', async () => {
    const { client, email } = await signedIn();
    const elsewhere = makeClient(idp);
    await elsewhere.loginByEmail(email, PASSWORD);
    await expect(client.updatePassword('Another horse 2', 'wrong')).rejects.toMatchObject({
      code: 2232,
    });
    await client.updatePassword('Another horse 2', PASSWORD);
    expect(await elsewhere.checkLoginStatus()).toMatchObject({ status: false });
    expect(await client.checkLoginStatus()).toMatchObject({ status: true });
    await expect(makeClient(idp).loginByEmail(email, PASSWORD)).rejects.toMatchObject({
      code: 2333,
    });
    await makeClient(idp).loginByEmail(email, 'Another horse 2');
    expect(idp.messages.at(-1)).toMatchObject({ kind: 'password-reset-notification', to: email });
  });

  it('a phone number is bound with its code, changed with both codes, and unbound', async () => {
    const { client } = await signedIn();
    const [first, second] = [freshPhone(), freshPhone()];
    await client.sendSmsCode(first, undefined, 'bind' as never);
    await expect(client.bindPhone(first, '000000')).rejects.toMatchObject({ code: 2001 });
    const bound = await client.bindPhone(first, idp.codeFor(`+86${first}`));
    expect(bound).toMatchObject({ phone: first, phoneVerified: true });
    await client.sendSmsCode(second, undefined, 'bind' as never);
    const code = idp.codeFor(`+86${second}`);
    await expect(client.updatePhone(second, code)).rejects.toMatchObject({ code: 2252 });
    await client.sendSmsCode(first, undefined, 'unbind' as never);
    const changed = await client.updatePhone(second, code, first, idp.codeFor(`+86${first}`));
    expect(changed).toMatchObject({ phone: second });
    expect(await client.unbindPhone()).toMatchObject({ phone: null, phoneVerified: false });
  });

  it('an email address is changed with both codes, unbound, and bound again', async () => {
    const { client, email } = await signedIn();
    const other = `${freshName()}@example.com`;
    await client.sendEmail(other, 'CHANGE_EMAIL' as never);
    await client.sendEmail(email, 'CHANGE_EMAIL' as never);
    const codes = [idp.codeFor(other), idp.codeFor(email)] as const;
    const changed = await client.updateEmail(other, codes[0], email, codes[1]);
    expect(changed).toMatchObject({ email: other, emailVerified: true });
    expect(await client.unbindEmail()).toMatchObject({ email: null });
    await client.sendEmail(email, 'EMAIL_BIND_VERIFY_CODE' as never);
    expect(await client.bindEmail(email, idp.codeFor(email))).toMatchObject({ email });
  });

  it('the only way to sign in cannot be removed, and an address of another user cannot be used', async () => {
    const email = `${freshName()}@example.com`;
    await idp.makeUser({ email, emailVerified: true, password: PASSWORD });
    const client = makeClient(idp);
    await client.loginByEmail(email, PASSWORD);
    await expect(client.unbindEmail()).rejects.toMatchObject({ code: 2253 });
    const { email: taken } = await signedIn();
    await client.sendEmail(taken, 'CHANGE_EMAIL' as never);
    await client.sendEmail(email, 'CHANGE_EMAIL' as never);
    await expect(
      client.updateEmail(taken, idp.codeFor(taken), email, idp.codeFor(email)),
    ).rejects.toMatchObject({ code: 2026 });
  });

  it('custom values are returned with their types', async () => {
    const { client } = await signedIn();
    await client.setUdv('school', 'MIT');
    await client.setUdfValue({ age: 30, active: true, tags: { a: [1] } });
    expect(await client.getUdfValue()).toEqual({
      school: 'MIT',
      age: 30,
      active: true,
      tags: { a: [1] },
    });
    expect(await client.removeUdv('school')).toHaveLength(3);
  });

  it('concurrent custom values are stored only up to the limit', async () => {
    const { client } = await signedIn();
    const most = Object.fromEntries(
      Array.from({ length: 97 }, (_, index) => [`key${index}`, index]),
    );
    await client.setUdfValue(most);
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => client.setUdv(`late${index}`, index)),
    );
    const refused = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toHaveLength(9);
    for (const reason of refused) expect(reason).toMatchObject({ code: 2260 });
    expect(Object.keys(await client.getUdfValue())).toHaveLength(100);
    await client.setUdv('key0', 'a key that was there may change');
  });

  it('[idp-account-8] a forgotten password is replaced with a code, by email and by phone', async () => {
    const username = freshName();
    const email = `${username}@example.com`;
    const phone = freshPhone();
    const number = { phone, phoneCountryCode: '+86', phoneE164: `+86${phone}` };
    const proven = { emailVerified: true, phoneVerified: true };
    await idp.makeUser({ email, username, ...number, ...proven, password: PASSWORD });
    const client = makeClient(idp);
    await client.loginByEmail(email, PASSWORD);
    await client.sendEmail(email, 'RESET_PASSWORD' as never);
    const done = await client.resetPasswordByEmailCode(email, idp.codeFor(email), 'New password 1');
    expect(done).toMatchObject({ code: 200 });
    expect(await client.checkLoginStatus()).toMatchObject({ status: false });
    await client.loginByUsername(username, 'New password 1');
    await client.sendSmsCode(phone, '+86', 'reset' as never);
    await client.resetPasswordByPhoneCode(
      phone,
      idp.codeFor(`+86${phone}`),
      'New password 2',
      '+86',
    );
    await client.loginByPhonePassword(phone, 'New password 2');
  });

  it('[idp-account-9] a user whose password was set by others must change it before the first sign-in', async () => {
    const email = `${freshName()}@example.com`;
    const { id } = await idp.makeUser({ email, mustResetPassword: true, password: PASSWORD });
    const client = makeClient(idp);
    const refusal = await client.loginByEmail(email, PASSWORD).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 2240, data: { token: expect.any(String) } });
    const { token } = (refusal as { data: { token: string } }).data;
    await client.resetPasswordByFirstLoginToken({ token, password: 'My own 1 pass' });
    await expect(
      client.resetPasswordByFirstLoginToken({ token, password: 'My own 2 pass' }),
    ).rejects.toMatchObject({ code: 2233 });
    await client.loginByEmail(email, 'My own 1 pass');
    await idp.context.users.update(id, { mustResetPassword: true });
    const forced = await client
      .loginByEmail(email, 'My own 1 pass')
      .catch((error: unknown) => error);
    expect(forced).toMatchObject({ code: 2241 });
    const oldPassword = 'My own 1 pass';
    const reset = { token: (forced as { data: { token: string } }).data.token, oldPassword };
    await client.resetPasswordByForceResetToken({ ...reset, newPassword: 'My own 3 pass' });
    await client.loginByEmail(email, 'My own 3 pass');
    expect(idp.failures).toEqual([]);
  });
});
