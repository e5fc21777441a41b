import { AuthenticationClient } from 'authing-js-sdk';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertIdentity } from '../../src/identities/identity-store.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';
import { createPhone, scanPicture } from './support/phone.ts';
import { call } from './support/rest-calls.ts';

const EMAIL = 'ada@example.com';
let idp: OpenProvider;

beforeAll(async () => {
  // One phone after the other signs in within a minute: the limits on codes have tests of their own.
  const serverUrl = 'http://127.0.0.1:9/cas';
  idp = await openProvider({
    limits: 'off',
    connections: [{ protocol: 'cas', identifier: 'corp', displayName: 'Corp', serverUrl }],
  });
  await idp.makeUser({ email: EMAIL, emailVerified: true, profile: { nickname: 'Ada' } });
});
afterAll(() => idp[Symbol.asyncDispose]());

interface Code {
  readonly random: string;
  /** Where the phone is led. */
  readonly address: string;
}

async function makeCode(): Promise<Code> {
  const answer = await call(idp, 'POST', '/api/v2/qrcode/gene', { body: { scene: 'APP_AUTH' } });
  const { random, url } = answer.data as { random: string; url: string };
  return { random, address: await scanPicture(url) };
}

interface Status {
  readonly status: number;
  readonly ticket: string | null;
  readonly userInfo: unknown;
  readonly scannedResult: { code: number; errmsg: string; data: { mfaToken: string } } | null;
}

async function check(random: string): Promise<Status> {
  const path = `/api/v2/qrcode/check?random=${encodeURIComponent(random)}`;
  return (await call(idp, 'GET', path)).data as Status;
}

describe('sign-in by QR code', () => {
  it('the three clients of the public package sign in when a phone confirms', async () => {
    const client = new AuthenticationClient({ appId: idp.appId, appHost: idp.host });
    const phone = createPhone(idp);
    for (const kind of [client.qrcode, client.wxqrcode, client.wechatmpqrcode]) {
      const { random, url } = await kind.geneCode({ withCustomData: true } as never);
      expect(await kind.checkStatus(random)).toMatchObject({ status: 0, ticket: null });
      const address = await scanPicture(url);
      const first = await phone.open(address);
      const page = first.html.includes('name="account"')
        ? await phone.signIn(address, EMAIL)
        : first;
      expect(page.html).toContain('Sign in to Device Portal on another device?');
      const scanned = await kind.checkStatus(random);
      expect(scanned).toMatchObject({ status: 1, userInfo: { nickname: 'Ada' }, ticket: null });
      expect((await phone.press(address, 'confirm')).html).toContain('Done.');
      const confirmed = await kind.checkStatus(random);
      expect(confirmed.status).toBe(2);
      const user = await kind.exchangeUserInfo(confirmed.ticket ?? '');
      expect(user).toMatchObject({ email: EMAIL });
      const session = await idp.context.tokens.verify(user.token ?? '');
      expect(session?.session.method).toMatch(/qrcode$/);
    }
    expect(idp.failures).toEqual([]);
  });

  it('of concurrent uses of a ticket, one signs in, and the code has then ended', async () => {
    const { random, address } = await makeCode();
    const phone = createPhone(idp);
    await phone.signIn(address, EMAIL);
    await phone.press(address, 'confirm');
    const { ticket } = await check(random);
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(() => call(idp, 'POST', '/api/v2/qrcode/userinfo', { body: { ticket } })),
    );
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 2302, 2302, 2302, 2302]);
    expect(await check(random)).toMatchObject({ status: -1, ticket: null });
  });

  it('after the phone cancels, no user is signed in', async () => {
    const { random, address } = await makeCode();
    const phone = createPhone(idp);
    await phone.signIn(address, EMAIL);
    expect((await phone.press(address, 'cancel')).html).toContain('No device was signed in');
    expect(await check(random)).toMatchObject({ status: 3, ticket: null });
    expect((await phone.press(address, 'confirm')).html).toContain(
      'has expired or was already used',
    );
    expect(await check(random)).toMatchObject({ status: 3, ticket: null });
  });

  it('a code expires after two minutes, and a confirmed one after another', async () => {
    const first = await makeCode();
    const second = await makeCode();
    const phone = createPhone(idp);
    await phone.signIn(first.address, EMAIL);
    await phone.open(second.address);
    await phone.press(second.address, 'confirm');
    const { ticket } = await check(second.random);
    idp.clock.advance(61_000);
    expect(await check(second.random)).toMatchObject({ status: -1, ticket: null });
    const late = await call(idp, 'POST', '/api/v2/qrcode/userinfo', { body: { ticket } });
    expect(late.code).toBe(2302);
    idp.clock.advance(60_000);
    expect(await check(first.random)).toMatchObject({ status: -1 });
    expect((await phone.open(first.address)).html).toContain('has expired or was already used');
    expect((await phone.press(first.address, 'confirm')).html).toContain(
      'has expired or was already used',
    );
  });

  it('[idp-qr-5] a user with a second factor is prompted for it on the device that signs in', async () => {
    const email = 'grace@example.com';
    const user = await idp.makeUser({ email, emailVerified: true, password: 'Correct horse 1' });
    const client = new AuthenticationClient({ appId: idp.appId, appHost: idp.host });
    await client.loginByEmail(email, 'Correct horse 1');
    const options = { authenticatorType: 'totp', source: 'SELF' } as never;
    const { secret } = await client.mfa.assosicateMfaAuthenticator(options);
    const numberNow = () => generate({ secret, epoch: Math.floor(idp.clock.now() / 1_000) });
    await client.mfa.confirmAssosicateMfaAuthenticator({
      ...(options as object),
      totp: await numberNow(),
    } as never);
    const { random, address } = await makeCode();
    const phone = createPhone(idp);
    await phone.signIn(address, email);
    expect((await phone.press(address, 'confirm')).html).toContain('second factor');
    const status = await check(random);
    expect(status).toMatchObject({ status: 4, ticket: null, scannedResult: { code: 1636 } });
    idp.clock.advance(30_000);
    const mfaToken = status.scannedResult?.data.mfaToken ?? '';
    const signedIn = await client.mfa.verifyTotpMfa({ totp: await numberNow(), mfaToken });
    expect(signedIn.id).toBe(user.id);
  });

  it('an account that cannot sign in is an error on both sides', async () => {
    const email = 'blocked@example.com';
    const user = await idp.makeUser({ email, emailVerified: true });
    const { random, address } = await makeCode();
    const phone = createPhone(idp);
    await phone.signIn(address, email);
    await idp.context.users.update(user.id, { blocked: true });
    expect((await phone.press(address, 'confirm')).html).toContain('can’t sign in');
    const status = await check(random);
    expect(status).toMatchObject({ status: 5, ticket: null, scannedResult: { code: 2005 } });
    expect(status.scannedResult?.errmsg).not.toBe('');
  });

  it('the first phone that scans has the code: another phone neither sees nor confirms it', async () => {
    await idp.makeUser({ email: 'eve@example.com', emailVerified: true });
    const { random, address } = await makeCode();
    const phone = createPhone(idp);
    await phone.signIn(address, EMAIL);
    const other = createPhone(idp);
    expect((await other.signIn(address, 'eve@example.com')).html).toContain(
      'has expired or was already used',
    );
    await other.press(address, 'confirm');
    await other.press(address, 'cancel');
    expect(await check(random)).toMatchObject({ status: 1, userInfo: { nickname: 'Ada' } });
  });

  it('the QR picture does not allow polling, and a page of another site cannot confirm', async () => {
    const { random, address } = await makeCode();
    const scan = address.split('/').at(-1) ?? '';
    expect((await call(idp, 'GET', `/api/v2/qrcode/check?random=${scan}`)).code).toBe(2301);
    const phone = createPhone(idp);
    await phone.signIn(address, EMAIL);
    for (const origin of ['https://evil.example', 'null', null]) {
      await phone.press(address, 'confirm', {}, origin);
    }
    expect(await check(random)).toMatchObject({ status: 1 });
  });

  it('the page shows where the request comes from, in both languages, without scripts or inline markup', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    await idp.makeUser({
      email: 'mallory@example.com',
      emailVerified: true,
      profile: { nickname: hostile },
    });
    const { address } = await makeCode();
    const phone = createPhone(idp, 'zh-CN,zh;q=0.9');
    await phone.open(address);
    const { html, headers } = await phone.signIn(address, 'mallory@example.com');
    expect(html).toContain('lang="zh-CN"');
    expect(html).toContain('127.0.0.1');
    expect(html).toContain('秒前');
    expect(html).not.toContain(hostile);
    expect(html).not.toContain('<script');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('the phone page does not reveal whether an account exists, and its cookie is not a token', async () => {
    const { address } = await makeCode();
    const phone = createPhone(idp);
    const unknown = await phone.press(address, 'identify', { account: 'nobody@example.com' });
    const known = await phone.press(address, 'identify', { account: EMAIL });
    expect(unknown.html.replaceAll('nobody@example.com', EMAIL)).toBe(known.html);
    const reply = await phone.press(address, 'signIn', {
      account: EMAIL,
      code: idp.codeFor(EMAIL),
    });
    const cookie = reply.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; HttpOnly; SameSite=Lax/);
    const token = /=([^;]+)/.exec(cookie)?.[1] ?? '';
    expect((await call(idp, 'GET', '/api/v2/users/me/security-level', { token })).code).toBe(2021);
    await phone.press(address, 'forget');
    expect((await phone.open(address)).html).toContain('Sign in on this phone first');
  });

  it('hostile input is rejected without an internal error', async () => {
    for (const body of [{}, { scene: 'OTHER' }, [], { scene: 'APP_AUTH', withCustomData: 'x' }]) {
      expect((await call(idp, 'POST', '/api/v2/qrcode/gene', { body })).code).toBe(400);
    }
    for (const random of ['', '%00', '../../x', 'x'.repeat(5_000)]) {
      const { code } = await call(idp, 'GET', `/api/v2/qrcode/check?random=${random}`);
      expect([400, 2301]).toContain(code);
    }
    for (const ticket of ['', '\0', 'x'.repeat(10_000), 'x']) {
      const { code } = await call(idp, 'POST', '/api/v2/qrcode/userinfo', { body: { ticket } });
      expect([400, 2302]).toContain(code);
    }
    expect(idp.failures).toEqual([]);
  });

  it('values of a code belong to the user who confirms it, and are returned if requested', async () => {
    const client = new AuthenticationClient({ appId: idp.appId, appHost: idp.host });
    const { random, url } = await client.qrcode.geneCode({
      ...{ customData: { team: 'red', size: 3 }, context: { from: 'lobby' }, withCustomData: true },
    } as never);
    const address = await scanPicture(url);
    const phone = createPhone(idp);
    await phone.signIn(address, EMAIL);
    await phone.press(address, 'confirm');
    const { ticket } = await client.qrcode.checkStatus(random);
    const user = await client.qrcode.exchangeUserInfo(ticket ?? '');
    expect(user.customData).toMatchObject([
      { key: 'size', value: '3', dataType: 'NUMBER' },
      { key: 'team', dataType: 'STRING' },
    ]);
    for (const wrong of [{ context: 'text' }, { params: 7 }, { params: [{ value: 1 }] }]) {
      const body = { scene: 'APP_AUTH', ...wrong };
      expect((await call(idp, 'POST', '/api/v2/qrcode/gene', { body })).code).toBe(400);
    }
  });

  it('a code for users of one connection cannot be confirmed by others', async () => {
    const unknown = { scene: 'APP_AUTH', extIdpConnId: 'nobody' };
    expect((await call(idp, 'POST', '/api/v2/qrcode/gene', { body: unknown })).code).toBe(2300);
    const email = 'corp@example.com';
    const { id, userPoolId } = await idp.makeUser({ email, emailVerified: true });
    const confirmOne = async (): Promise<Status> => {
      const body = { scene: 'APP_AUTH', extIdpConnId: 'corp' };
      const answer = await call(idp, 'POST', '/api/v2/qrcode/gene', { body });
      const { random, url } = answer.data as { random: string; url: string };
      const address = await scanPicture(url);
      const phone = createPhone(idp);
      await phone.signIn(address, email);
      await phone.press(address, 'confirm');
      return check(random);
    };
    expect(await confirmOne()).toMatchObject({ status: 5, scannedResult: { code: 2305 } });
    const identity = {
      ...{ id: 'identity-1', userId: id, userPoolId, extIdpId: 'corp', connectionId: 'corp' },
      ...{ provider: 'corp', type: 'cas', isSocial: false, openid: 'c-1', userIdInIdp: 'c-1' },
      profile: {},
    };
    await insertIdentity(idp.pool, identity, new Date());
    expect(await confirmOne()).toMatchObject({ status: 2 });
  });
});
