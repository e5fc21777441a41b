import { AuthenticationClient } from 'authing-js-sdk';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProvider, type OpenProvider } from './support/open-provider.ts';
import { call, signIn } from './support/rest-calls.ts';

const PASSWORD = 'Correct horse 1';
let idp: OpenProvider;

beforeAll(async () => {
  idp = await openProvider();
});
afterAll(() => idp[Symbol.asyncDispose]());

/** Somebody with an authenticator app, who is about to sign in. */
async function withTotp(name: string) {
  const email = `${name}@example.com`;
  await idp.makeUser({ email, username: name, password: PASSWORD });
  const client = new AuthenticationClient({ appId: idp.appId, appHost: idp.host });
  await client.loginByEmail(email, PASSWORD);
  const app = await client.mfa.assosicateMfaAuthenticator({
    authenticatorType: 'totp',
    source: 'SELF',
  } as never);
  await client.mfa.confirmAssosicateMfaAuthenticator({
    authenticatorType: 'totp',
    totp: await numberOf(app.secret),
    source: 'SELF',
  } as never);
  return { email, client, secret: app.secret, recoveryCode: app.recovery_code, app };
}

const numberOf = (secret: string): Promise<string> =>
  generate({ secret, epoch: Math.floor(idp.clock.now() / 1_000) });

/** The next number: each counts once. */
function nextNumber(secret: string): Promise<string> {
  idp.clock.advance(30_000);
  return numberOf(secret);
}

const refusal = (promise: Promise<unknown>): Promise<{ code: number; data: never }> =>
  promise.then(
    () => {
      throw new Error('was not refused');
    },
    (error: unknown) => error as { code: number; data: never },
  );

describe('authenticator apps', () => {
  it('[idp-totp-1] a user with an app is asked for its code, and signs in with it', async () => {
    const { email, client, secret, app } = await withTotp('totp1');
    expect(app.qrcode_uri).toContain(`secret=${secret}`);
    expect(app.qrcode_data_url).toMatch(/^data:image\/png;base64,/);
    const refused = await refusal(client.loginByEmail(email, PASSWORD));
    expect(refused).toMatchObject({
      code: 1636,
      data: { totpMfaEnabled: true, faceMfaEnabled: false, email: 't***@example.com' },
    });
    const { mfaToken } = refused.data as { mfaToken: string };
    const user = await client.mfa.verifyTotpMfa({ totp: await nextNumber(secret), mfaToken });
    expect(user).toMatchObject({ email });
    expect(await idp.context.tokens.verify(user.token ?? '')).toMatchObject({ userId: user.id });
  });

  it('[idp-totp-2] an MFA token signs in once, and is not a session token', async () => {
    const { email, client, secret } = await withTotp('totp2');
    const { mfaToken } = (await refusal(client.loginByEmail(email, PASSWORD))).data as {
      mfaToken: string;
    };
    const totp = await nextNumber(secret);
    const both = await Promise.all(
      [1, 2, 3, 4].map(() =>
        call(idp, 'POST', '/api/v2/mfa/totp/verify', { body: { totp }, token: mfaToken }),
      ),
    );
    expect(both.filter(({ code }) => code === 200)).toHaveLength(1);
    const again = await call(idp, 'POST', '/api/v2/mfa/totp/verify', {
      body: { totp: await nextNumber(secret) },
      token: mfaToken,
    });
    expect(again.code).toBe(2401);
    const level = await call(idp, 'GET', '/api/v2/users/me/security-level', { token: mfaToken });
    expect(level.code).toBe(2021);
  });

  it('[idp-totp-3] a code can be used once, also at another sign-in', async () => {
    const { email, client, secret } = await withTotp('totp3');
    const totp = await nextNumber(secret);
    const first = (await refusal(client.loginByEmail(email, PASSWORD))).data as {
      mfaToken: string;
    };
    await client.mfa.verifyTotpMfa({ totp, mfaToken: first.mfaToken });
    const second = (await refusal(client.loginByEmail(email, PASSWORD))).data as {
      mfaToken: string;
    };
    expect(
      await refusal(client.mfa.verifyTotpMfa({ totp, mfaToken: second.mfaToken })),
    ).toMatchObject({
      code: 2402,
    });
  });

  it('[idp-totp-4] a recovery code signs in only one of several concurrent attempts, and none afterwards', async () => {
    const { email, client, recoveryCode } = await withTotp('totp4');
    const tokens = await Promise.all(
      [1, 2, 3].map(async () => {
        const refused = await refusal(client.loginByEmail(email, PASSWORD));
        return (refused.data as { mfaToken: string }).mfaToken;
      }),
    );
    const answers = await Promise.all(
      tokens.map((token) =>
        call(idp, 'POST', '/api/v2/mfa/totp/recovery', { body: { recoveryCode }, token }),
      ),
    );
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 2403, 2403]);
  });

  it('guessing ends after ten incorrect codes, regardless of the token', async () => {
    const { email, client } = await withTotp('totp5');
    const codes: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const refused = await refusal(client.loginByEmail(email, PASSWORD));
      const { mfaToken: token } = refused.data as { mfaToken: string };
      const body = { totp: String(attempt).padStart(6, '0') };
      codes.push((await call(idp, 'POST', '/api/v2/mfa/totp/verify', { body, token })).code);
    }
    expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 2402));
    expect(codes[10]).toBe(429);
  });

  it('the first factor alone cannot add another app, and reveals no secret', async () => {
    const { email, client } = await withTotp('totp6');
    const { mfaToken: token } = (await refusal(client.loginByEmail(email, PASSWORD))).data as {
      mfaToken: string;
    };
    const associate = await call(idp, 'POST', '/api/v2/mfa/totp/associate', { body: {}, token });
    expect(associate.code).toBe(2406);
    const removed = await call(idp, 'DELETE', '/api/v2/mfa/totp/associate', { token });
    expect(removed.code).toBe(2021);
    const list = await call(idp, 'GET', '/api/v2/mfa/authenticator?type=totp', { token });
    expect(list.data).toMatchObject([{ enable: true, secret: '', recoveryCode: '' }]);
  });

  it('[idp-totp-7] a user who deletes the app signs in without it again', async () => {
    const { email, client } = await withTotp('totp7');
    expect(await client.getSecurityLevel()).toMatchObject({ mfa: true, password: true });
    expect(await client.mfa.deleteMfaAuthenticator()).toMatchObject({ code: 200 });
    expect(await client.loginByEmail(email, PASSWORD)).toMatchObject({ email });
  });

  it('an MFA token expires after five minutes', async () => {
    const { email, client, secret } = await withTotp('totp8');
    const { mfaToken } = (await refusal(client.loginByEmail(email, PASSWORD))).data as {
      mfaToken: string;
    };
    idp.clock.advance(5 * 60_000 + 1);
    const totp = await numberOf(secret);
    expect(await refusal(client.mfa.verifyTotpMfa({ totp, mfaToken }))).toMatchObject({
      code: 2401,
    });
  });

  it('hostile input is rejected without an internal error', async () => {
    const { token } = await signIn(idp, 'totp9@example.com');
    for (const body of [
      null,
      [],
      { totp: 1 },
      { totp: 'x'.repeat(500) },
      { totp: '\0' },
      { totp: '١٢٣٤٥٦' },
    ]) {
      const answer = await call(idp, 'POST', '/api/v2/mfa/totp/verify', { body, token });
      expect(answer.code).not.toBe(200);
      expect(answer.code).not.toBe(500);
    }
    expect(idp.failures).toEqual([]);
  });
});
