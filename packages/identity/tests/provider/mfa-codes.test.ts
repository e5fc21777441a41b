import { AuthenticationClient } from 'authing-js-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserChange } from '../../src/accounts/provider-user.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';
import { call } from './support/rest-calls.ts';

const PASSWORD = 'Correct horse 1';
const phone = { phone: '13800000001', phoneCountryCode: '+86', phoneE164: '+8613800000001' };
let idp: OpenProvider;
let isWritable = true;

beforeAll(async () => {
  const writeEvent = async (): Promise<void> => {
    if (!isWritable) throw new Error('the audit trail cannot be written');
  };
  idp = await openProvider({ secondStep: 'required', limits: 'off' }, { writeEvent });
});
afterAll(() => idp[Symbol.asyncDispose]());

/** Signs in up to the second step. */
async function firstStep(username: string, more: UserChange) {
  await idp.makeUser({ username, password: PASSWORD, ...more });
  const client = new AuthenticationClient({ appId: idp.appId, appHost: idp.host });
  const refused = await client.loginByUsername(username, PASSWORD).then(
    () => {
      throw new Error('was not asked for a second step');
    },
    (error: unknown) => error as { code: number; data: { mfaToken: string; applicationMfa: [] } },
  );
  return { client, code: refused.code, ...refused.data };
}

const send = async (channel: 'email' | 'sms', to: string): Promise<string> => {
  const caller = { address: '127.0.0.1', language: 'en-US', userAgent: 'test' } as never;
  await idp.context.codes.send({ channel, to, purpose: 'verify-mfa' }, caller);
  return idp.codeFor(to);
};

describe('codes as a second factor that all users need', () => {
  it('a verified address or number is offered, and its code signs in', async () => {
    const email = 'ada@example.com';
    const contacts = { email, emailVerified: true, ...phone, phoneVerified: true };
    const { client, mfaToken, code, applicationMfa } = await firstStep('ada', contacts);
    expect(code).toBe(1636);
    expect(applicationMfa).toMatchObject([{ mfaPolicy: 'SMS' }, { mfaPolicy: 'EMAIL' }]);
    const user = await client.mfa.verifyAppEmailMfa({
      ...{ email, code: await send('email', email), mfaToken },
    });
    expect(await idp.context.tokens.verify(user.token ?? '')).toBeDefined();
    const again = await client.loginByUsername('ada', PASSWORD).catch((error) => error);
    const bySms = await client.mfa.verifyAppSmsMfa({
      ...{ phone: phone.phone, code: await send('sms', phone.phoneE164) },
      mfaToken: again.data.mfaToken,
    });
    expect(bySms.id).toBe(user.id);
  });

  it('accepts only codes that were sent to the user’s own address or number', async () => {
    const own = { email: 'grace@example.com', emailVerified: true };
    const { client, mfaToken } = await firstStep('grace', own);
    const eve = 'eve@example.com';
    const attack = { email: eve, code: await send('email', eve), mfaToken };
    await expect(client.mfa.verifyAppEmailMfa(attack)).rejects.toMatchObject({ code: 2407 });
    const number = { phone: '13800000009', code: '123456', mfaToken };
    await expect(client.mfa.verifyAppSmsMfa(number)).rejects.toMatchObject({ code: 2406 });
  });

  it('a user without a contact binds an unused address during the sign-in', async () => {
    await idp.makeUser({ email: 'taken@example.com', emailVerified: true });
    const { client, mfaToken, code } = await firstStep('newcomer', {});
    expect(code).toBe(1635);
    const check = (email: string) => client.mfa.phoneOrEmailBindable({ email, mfaToken } as never);
    expect(await check('taken@example.com')).toBe(false);
    expect(await check('free@example.com')).toBe(true);
    const taken = 'taken@example.com';
    await expect(
      client.mfa.verifyAppEmailMfa({ email: taken, code: await send('email', taken), mfaToken }),
    ).rejects.toMatchObject({ code: 2026 });
    const email = 'free@example.com';
    const user = await client.mfa.verifyAppEmailMfa({
      ...{ email, code: await send('email', email), mfaToken },
    });
    expect(await idp.context.users.find(user.id)).toMatchObject({ email, emailVerified: true });
  });

  it('an address whose change cannot be recorded is not bound, and its code stays valid', async () => {
    const { client, mfaToken } = await firstStep('unrecorded', {});
    const email = 'unrecorded@example.com';
    const proof = { email, code: await send('email', email), mfaToken };
    isWritable = false;
    const refused = client.mfa.verifyAppEmailMfa(proof).finally(() => (isWritable = true));
    await expect(refused).rejects.toMatchObject({ response: { status: 500 } });
    expect(idp.failures.splice(0)).toHaveLength(1);
    expect(await idp.context.users.findBy('email', email)).toBeUndefined();
    expect(await client.mfa.verifyAppEmailMfa(proof)).toMatchObject({ email });
  });

  it('an old token cannot bind a contact after the user has an app', async () => {
    const { client, mfaToken } = await firstStep('careful', {});
    const bind = await call(idp, 'POST', '/api/v2/mfa/totp/associate', {
      body: {},
      token: mfaToken,
    });
    expect(bind.code).toBe(200);
    const user = await idp.context.users.findBy('username', 'careful');
    await idp.pool.query('update identity.provider_totp set enabled = true where user_id = $1', [
      user?.id,
    ]);
    const email = 'attacker@example.com';
    const attack = { email, code: await send('email', email), mfaToken };
    await expect(client.mfa.verifyAppEmailMfa(attack)).rejects.toMatchObject({ code: 2406 });
    const again = await call(idp, 'POST', '/api/v2/mfa/totp/associate', {
      body: {},
      token: mfaToken,
    });
    expect(again.code).toBe(2406);
  });

  it('an incorrect code is rejected, and hostile input causes no internal error', async () => {
    const own = { email: 'hopper@example.com', emailVerified: true };
    const { client, mfaToken } = await firstStep('hopper', own);
    const right = await send('email', own.email);
    const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0');
    await expect(
      client.mfa.verifyAppEmailMfa({ email: own.email, code: wrong, mfaToken }),
    ).rejects.toMatchObject({ code: 2001 });
    for (const body of [{}, { email: '\0@x.y', code: '123456' }, { email: own.email, code: [] }]) {
      const path = '/api/v2/applications/mfa/email/verify';
      expect((await call(idp, 'POST', path, { body, token: mfaToken })).code).toBe(400);
    }
    expect(idp.failures).toEqual([]);
  });
});
