import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createIdentityClient,
  registerByEmail,
  registerByEmailCode,
  sendEmailCode,
  EmailScene,
  type User,
} from '../../../identity-client/src/index.ts';
import { issueProof } from '../../src/tickets/address-proof.ts';
import { bothClients } from './support/both-clients.ts';
import { freshName, freshPhone } from './support/fresh-names.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';

let idp: OpenProvider;
beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
});
afterAll(() => idp[Symbol.asyncDispose]());

const PASSWORD = 'Passw0rd 四😀';

describe.each(bothClients)('registration with %s', (_name, makeClient) => {
  it('by email address and password, signed in immediately if requested', async () => {
    const client = makeClient(idp);
    const email = `${freshName()}@example.com`;
    const profile = { nickname: 'Bob', company: 'ACME' };
    const options = { forceLogin: true, customData: { age: 30, school: 'MIT' } };
    const user = await client.registerByEmail(email, PASSWORD, profile, options);
    expect(user).toMatchObject({ email, nickname: 'Bob', company: 'ACME', emailVerified: false });
    expect(user.registerSource).toEqual(['basic:email']);
    expect(await client.getUdfValue()).toEqual({ age: 30, school: 'MIT' });
    expect((await idp.context.tokens.verify(user.token ?? ''))?.userId).toBe(user.id);
    const again = makeClient(idp);
    expect((await again.loginByEmail(email.toUpperCase(), PASSWORD)).id).toBe(user.id);
  });

  it('by username, without a sign-in unless requested', async () => {
    const client = makeClient(idp);
    const username = freshName();
    const user = await client.registerByUsername(username, PASSWORD);
    expect(user).toMatchObject({ username, token: null, loginsCount: 0 });
    expect((await client.loginByUsername(username, PASSWORD)).loginsCount).toBe(1);
  });

  it('by a code that was sent to the number', async () => {
    const client = makeClient(idp);
    const phone = freshPhone();
    await client.sendSmsCode(phone, '+86', 'register' as never);
    const code = idp.codeFor(`+86${phone}`);
    const user = await client.registerByPhoneCode(
      phone,
      code,
      PASSWORD,
      {},
      { generateToken: true },
    );
    expect(user).toMatchObject({ phone, phoneCountryCode: '+86', phoneVerified: true });
    expect(user.token).toBeTruthy();
    expect((await client.loginByPhonePassword(phone, PASSWORD)).id).toBe(user.id);
  });

  it('by a code that was sent to the address', async () => {
    const client = makeClient(idp);
    const email = `${freshName()}@example.com`;
    await client.sendEmail(email, 'REGISTER_VERIFY_CODE' as never);
    const user = await client.registerByEmailCode(email, idp.codeFor(email), { nickname: 'Eve' });
    expect(user).toMatchObject({ email, emailVerified: true, nickname: 'Eve' });
  });

  it('a taken name is rejected, regardless of case', async () => {
    const client = makeClient(idp);
    const username = freshName();
    await client.registerByUsername(username, PASSWORD);
    const refusal = { code: 2026, message: 'User already exists' };
    await expect(client.registerByUsername(username.toUpperCase(), PASSWORD)).rejects.toMatchObject(
      refusal,
    );
  });
});

describe('registration', () => {
  it.each([
    ['a weak password', { password: '12345' }, 2230],
    ['an address that is none', { email: 'nobody' }, 400],
    ['a text that is too long', { profile: { nickname: 'x'.repeat(2_001) } }, 400],
    ['a NUL character', { profile: { nickname: 'a\0b' } }, 400],
    ['custom data that is none', { customData: { ['k'.repeat(200)]: 1 } }, 400],
  ])('%s is rejected, and nothing is stored', async (_what, wrong, code) => {
    const client = createIdentityClient({ appId: idp.appId, appHost: idp.host });
    const email = `${freshName()}@example.com`;
    const registration = { email, password: PASSWORD, ...wrong };
    await expect(registerByEmail(client, registration)).rejects.toMatchObject({ code });
    expect(await idp.context.users.findBy('email', email)).toBeUndefined();
  });

  it('concurrent registrations of one address create one account', async () => {
    const email = `${freshName()}@example.com`;
    const tries = Array.from({ length: 6 }, (_, index) => {
      const client = createIdentityClient({ appId: idp.appId, appHost: idp.host });
      const mixed = index % 2 === 0 ? email : email.toUpperCase();
      return registerByEmail(client, { email: mixed, password: PASSWORD });
    });
    const { made, refused } = outcomes(await Promise.allSettled(tries));
    expect(made).toHaveLength(1);
    expect(refused).toEqual(Array.from({ length: 5 }, () => 2026));
  });

  it('a code registers once, also with concurrent use', async () => {
    const client = createIdentityClient({ appId: idp.appId, appHost: idp.host });
    const email = `${freshName()}@example.com`;
    await sendEmailCode(client, { email, scene: EmailScene.VerifyCode });
    const code = idp.codeFor(email);
    const tries = [1, 2].map(() => registerByEmailCode(client, { email, code }));
    const { made, refused } = outcomes(await Promise.allSettled(tries));
    expect(made).toHaveLength(1);
    // The other came too late for the code, or for the address.
    expect(refused.every((reason) => reason === 2001 || reason === 2026)).toBe(true);
  });

  it('a code for an additional address marks it as verified, once', async () => {
    const client = createIdentityClient({ appId: idp.appId, appHost: idp.host });
    const phoneToken = await issueProof(idp.context, 'phone', '+8613912345678');
    const registration = { email: `${freshName()}@example.com`, password: PASSWORD, phoneToken };
    const user = await registerByEmail(client, registration);
    expect(user).toMatchObject({ phone: '13912345678', phoneVerified: true });
    const second = { ...registration, email: `${freshName()}@example.com` };
    await expect(registerByEmail(client, second)).rejects.toMatchObject({ code: 2233 });
  });

  it('a registration is recorded, without the entered values', async () => {
    const events = JSON.stringify(idp.events.filter(({ kind }) => kind === 'registered'));
    expect(events).toContain('basic:email');
    expect(events).not.toContain(PASSWORD);
    expect(idp.failures).toEqual([]);
  });
});

function outcomes(results: readonly PromiseSettledResult<User>[]) {
  return {
    made: results.filter(({ status }) => status === 'fulfilled'),
    refused: results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { code: number }).code] : [],
    ),
  };
}
