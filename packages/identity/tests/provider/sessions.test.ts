import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { bothClients, type Client } from './support/both-clients.ts';
import { freshName, freshPhone } from './support/fresh-names.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';
import { signIn } from './support/rest-calls.ts';

let idp: OpenProvider;
beforeAll(async () => {
  idp = await openProvider({ limits: 'off', tokenSeconds: 600, sessionSeconds: 3_600 });
});
afterAll(() => idp[Symbol.asyncDispose]());

const PASSWORD = 'Correct horse 1';

describe.each(bothClients)('a sign-in with %s', (_name, makeClient) => {
  async function person() {
    const username = freshName();
    const email = `${username}@example.com`;
    const phone = freshPhone();
    const number = { phone, phoneCountryCode: '+86', phoneE164: `+86${phone}` };
    const names = { email, emailVerified: true, username, ...number, phoneVerified: true };
    const user = await idp.makeUser({ ...names, password: PASSWORD });
    return { user, email, username, phone };
  }
  const tokenOf = (client: Client): string =>
    (client as unknown as { tokenProvider: { getToken(): string } }).tokenProvider.getToken();

  it('by a code by email, and by a code by SMS', async () => {
    const { user, email, phone } = await person();
    const client = makeClient(idp);
    await client.sendEmail(email, 'LOGIN_VERIFY_CODE' as never);
    expect((await client.loginByEmailCode(email, idp.codeFor(email))).id).toBe(user.id);
    await client.sendSmsCode(phone, '+86', 'login' as never);
    const code = idp.codeFor(`+86${phone}`);
    const options = { phoneCountryCode: '+86', customData: { source: 'test' } };
    const signedIn = await client.loginByPhoneCode(phone, code, options);
    expect(signedIn).toMatchObject({ id: user.id, customData: { source: 'test' } });
    await expect(client.loginByPhoneCode(phone, code)).rejects.toMatchObject({ code: 2001 });
  });

  it('by subaccount, which has separate names', async () => {
    const { user } = await person();
    const subAccount = `sub-${freshName()}`;
    const made = await idp.makeUser({ parentUserId: user.id, subAccount, password: 'Sub pass 1' });
    const client = makeClient(idp);
    expect((await client.loginBySubAccount(subAccount, 'Sub pass 1')).id).toBe(made.id);
    await expect(client.loginByUsername(subAccount, 'Sub pass 1')).rejects.toMatchObject({
      code: 2333,
    });
  });

  it('creates the account if requested', async () => {
    const email = `${freshName()}@example.com`;
    const client = makeClient(idp);
    await expect(client.loginByEmail(email, PASSWORD)).rejects.toMatchObject({ code: 2333 });
    const user = await client.loginByEmail(email, PASSWORD, { autoRegister: true });
    expect(user).toMatchObject({ email, emailVerified: false, loginsCount: 1 });
    expect((await makeClient(idp).loginByEmail(email, PASSWORD)).id).toBe(user.id);
  });

  it('a new token before the old one expires, until the session ends', async () => {
    const { email } = await person();
    const client = makeClient(idp);
    await client.loginByEmail(email, PASSWORD);
    const first = tokenOf(client);
    idp.clock.advance(500_000);
    const { iat = 0, exp = 0 } = await client.refreshToken();
    expect((exp ?? 0) - (iat ?? 0)).toBe(600);
    idp.clock.advance(200_000);
    expect(await client.checkLoginStatus(first)).toMatchObject({ status: false, code: 2206 });
    expect(await client.checkLoginStatus()).toMatchObject({
      status: true,
      data: { userPoolId: 'pool-1' },
    });
    for (let at = 700; at < 3_600; at += 500) {
      await client.refreshToken();
      idp.clock.advance(500_000);
    }
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 2021 });
    expect(await client.getCurrentUser()).toBeNull();
  });

  it('[idp-session-5] logging out ends only this session', async () => {
    const { email } = await person();
    const [here, there] = [makeClient(idp), makeClient(idp)];
    await here.loginByEmail(email, PASSWORD);
    await there.loginByEmail(email, PASSWORD);
    const token = tokenOf(here);
    await here.logout();
    expect(await there.checkLoginStatus(token)).toMatchObject({ status: false });
    expect(await there.checkLoginStatus()).toMatchObject({ status: true });
    await there.logoutCurrent();
    expect(idp.events.filter(({ kind }) => kind === 'signedOut').length).toBeGreaterThanOrEqual(2);
  });

  it('a locked user cannot sign in, and existing sign-ins are invalid', async () => {
    const { user, email } = await person();
    const client = makeClient(idp);
    await client.loginByEmail(email, PASSWORD);
    await idp.context.users.update(user.id, { blocked: true });
    await expect(client.updateProfile({ nickname: 'x' })).rejects.toMatchObject({ code: 2005 });
    expect(await client.checkLoginStatus()).toMatchObject({ status: false });
    await expect(client.loginByEmail(email, PASSWORD)).rejects.toMatchObject({ code: 2005 });
    await expect(client.sendEmail(email, 'LOGIN_VERIFY_CODE' as never)).rejects.toMatchObject({
      code: 2224,
    });
  });

  it('existence is reported for every kind of name, and for a number also without its country', async () => {
    const { email, username, phone } = await person();
    const client = makeClient(idp);
    expect(await client.isUserExists({ email })).toBe(true);
    expect(await client.isUserExists({ username: username.toUpperCase() })).toBe(true);
    expect(await client.isUserExists({ phone })).toBe(true);
    expect(await client.isUserExists({ email: 'nobody@example.com' })).toBe(false);
    expect(
      await client.isUserExists({ externalId: "'; drop table identity.provider_user; --" }),
    ).toBe(false);
    await expect(
      client.sendEmail('nobody@example.com', 'RESET_PASSWORD' as never),
    ).rejects.toMatchObject({
      code: 2004,
      message: 'user does not exist',
    });
    expect(idp.failures).toEqual([]);
  });
});

describe('sign-ins', () => {
  it('[idp-session-14] the duration of a sign-in is the one in force when it begins', async () => {
    let seconds = 600;
    await using live = await openProvider({ limits: 'off' }, { sessionSeconds: () => seconds });
    const life = async (email: string): Promise<number> => {
      const { exp = 0, iat = 0 } = decodeJwt((await signIn(live, email)).token);
      return exp - iat;
    };
    expect(await life('ada@example.com')).toBe(600);
    seconds = 1_200;
    expect(await life('grace@example.com')).toBe(1_200);
  });

  it('[idp-session-8] after verification by its owner, an address that another person registered belongs only to the owner', async () => {
    const email = `${freshName()}@example.com`;
    const [, makeClient] = bothClients[0] ?? [];
    const [squatter, owner] = [makeClient?.(idp), makeClient?.(idp)];
    await squatter?.registerByEmail(email, PASSWORD, {}, { forceLogin: true });
    await owner?.sendEmail(email, 'LOGIN_VERIFY_CODE' as never);
    const user = await owner?.loginByEmailCode(email, idp.codeFor(email));
    expect(user).toMatchObject({ email, emailVerified: true });
    expect(await squatter?.checkLoginStatus()).toMatchObject({ status: false });
    await expect(squatter?.loginByEmail(email, PASSWORD)).rejects.toMatchObject({ code: 2333 });
  });

  it('an account with another verified contact keeps its owner, and loses the address of another person', async () => {
    const email = `${freshName()}@example.com`;
    const phone = freshPhone();
    const number = { phone, phoneCountryCode: '+86', phoneE164: `+86${phone}` };
    const names = { email, ...number, phoneVerified: true };
    const { id } = await idp.makeUser({ ...names, password: PASSWORD });
    const client = bothClients[1]?.[1](idp);
    await client?.sendEmail(email, 'LOGIN_VERIFY_CODE' as never);
    const code = idp.codeFor(email);
    await expect(client?.loginByEmailCode(email, code)).rejects.toMatchObject({ code: 2004 });
    expect(await idp.context.users.find(id)).toMatchObject({ email: null, phone });
    expect((await client?.registerByEmailCode(email, code))?.id).not.toBe(id);
  });

  it('[idp-session-9] a code that is used twice concurrently signs in once', async () => {
    const email = `${freshName()}@example.com`;
    await idp.makeUser({ email, emailVerified: true });
    const clients = bothClients.map(([, makeClient]) => makeClient(idp));
    await clients[0]?.sendEmail(email, 'LOGIN_VERIFY_CODE' as never);
    const code = idp.codeFor(email);
    const results = await Promise.allSettled(
      clients.map((client) => client.loginByEmailCode(email, code)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('[idp-session-10] a token of another key, issuer, or algorithm is rejected', async () => {
    const email = `${freshName()}@example.com`;
    const user = await idp.makeUser({ email });
    const session = { appId: idp.appId, method: 'test', address: '127.0.0.1' };
    const { token } = await idp.context.tokens.startSession(user, session);
    const { kid, publicKey } = await idp.context.keys.signing.signer('provider-token');
    const { payload } = await jwtVerify(token, publicKey, {
      audience: idp.appId,
      issuer: `${idp.host}/oidc`,
    });
    expect(payload).toMatchObject({
      sub: user.id,
      email,
      data: { id: user.id, userPoolId: 'pool-1' },
    });
    expect(decodeProtectedHeader(token)).toMatchObject({
      alg: 'RS256',
      kid,
    });
    const [head = '', body = '', signature = ''] = token.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const changed = Buffer.from(JSON.stringify({ ...payload, sub: 'other' })).toString('base64url');
    for (const forged of [
      `${none}.${body}.`,
      `${head}.${changed}.${signature}`,
      `${head}.${body}.`,
      'x',
      '',
    ]) {
      expect(await idp.context.tokens.verify(forged)).toBeUndefined();
    }
    await using other = await openProvider();
    expect(await other.context.tokens.verify(token)).toBeUndefined();
  });
});
