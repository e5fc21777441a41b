import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { ProviderUser } from '../../src/accounts/provider-user.ts';
import type { PasskeyCaller } from '../../src/passkeys/passkeys.ts';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../support/software-authenticator.ts';
import {
  createBrowser,
  formsOf,
  type Browser,
  type BrowserPage,
} from '../provider/support/browser.ts';
import {
  openProvider,
  REDIRECT_URI,
  type OpenProvider,
} from '../provider/support/open-provider.ts';

const PASSWORD = 'Correct horse 1';

let idp: OpenProvider;
let browser: Browser;
let user: ProviderUser;
let authenticator: SoftwareAuthenticator;
let recoveryCodes: readonly string[] = [];
let people = 0;

beforeAll(async () => {
  idp = await openProvider({ limits: 'off' }, { hostname: 'localhost' });
});
afterAll(() => idp[Symbol.asyncDispose]());
beforeEach(async () => {
  browser = createBrowser(REDIRECT_URI);
  people += 1;
  user = await idp.makeUser({ username: `person-${people}`, password: PASSWORD });
  authenticator = createSoftwareAuthenticator(new URL(idp.host).origin);
  recoveryCodes = await register(user.id, authenticator);
});

const callerOf = (id: string): PasskeyCaller => {
  const account = { username: 'a', contact: undefined, locale: undefined, timeZone: undefined };
  return { address: '192.0.2.1', owner: { id, ...account } };
};

async function register(id: string, device: SoftwareAuthenticator) {
  const { passkeys } = idp.context;
  const caller = callerOf(id);
  const options = await passkeys.beginRegistration(caller, { name: 'a', displayName: 'A' });
  return (await passkeys.finishRegistration(caller, device.create(options))).recoveryCodes ?? [];
}

async function openPage(way: string): Promise<BrowserPage> {
  const asked = { client_id: idp.appId, redirect_uri: REDIRECT_URI, scope: 'openid' };
  const search = new URLSearchParams({ ...asked, response_type: 'code', state: 'state-1' });
  const page = await browser.open(`${idp.host}/oidc/auth?${search.toString()}`);
  return browser.open(`${page.url.href}?way=${way}`);
}

async function afterPassword(): Promise<BrowserPage> {
  const account = user.username ?? '';
  return browser.submit(await openPage('password'), 'password', { account, password: PASSWORD });
}

function optionsOn({ body }: BrowserPage): PublicKeyCredentialRequestOptionsJSON {
  const [, text = ''] = /data-passkey="([^"]*)"/.exec(body) ?? [];
  const json = text.replaceAll(/&#(\d+);/g, (_whole, code: string) =>
    String.fromCodePoint(Number(code)),
  );
  return JSON.parse(json) as PublicKeyCredentialRequestOptionsJSON;
}

const signedBy = (page: BrowserPage, device = authenticator): string =>
  JSON.stringify(device.get(optionsOn(page)));

/** How the newest sign-in was made; undefined if no user reached the application. */
async function methodOf(page: BrowserPage): Promise<string | undefined> {
  if (!page.url.href.startsWith(REDIRECT_URI)) return undefined;
  return (await idp.context.tokens.listSessions(user.id)).map(({ method }) => method).join();
}

it('a user with a passkey is asked for it after the password, and a replayed signature is rejected', async () => {
  const asked = await afterPassword();
  expect(asked.body).toContain('Confirm the sign-in with your passkey.');
  const credential = signedBy(asked);
  const wrong = await browser.submit(asked, 'second-step', { credential: '{}' });
  expect(wrong.status).toBe(422);
  expect(wrong.body).toContain('The passkey could not be verified.');
  const done = await browser.submit(wrong, 'second-step', { credential });
  expect(await methodOf(done)).toBe('password+passkey');
  browser = createBrowser(REDIRECT_URI);
  const again = await browser.submit(await afterPassword(), 'second-step', { credential });
  expect(again.body).toContain('The passkey could not be verified.');
});

it('a recovery code replaces the passkey once', async () => {
  const [code = ''] = recoveryCodes;
  const asked = await browser.submit(await afterPassword(), 'choose-step');
  const wrong = await browser.submit(asked, 'second-step', { code: 'ffff-ffff' });
  expect(wrong.body).toContain('The recovery code is incorrect or already used');
  const done = await browser.submit(wrong, 'second-step', { code });
  expect(await methodOf(done)).toBe('password+recovery');
  browser = createBrowser(REDIRECT_URI);
  const again = await browser.submit(await afterPassword(), 'choose-step');
  const used = await browser.submit(again, 'second-step', { code });
  expect(used.body).toContain('The recovery code is incorrect or already used');
});

it('a passkey replaces the password only for users who chose it', async () => {
  const refused = await openPage('passkey');
  expect(optionsOn(refused).allowCredentials).toEqual([]);
  const first = await browser.submit(refused, 'passkey', { credential: signedBy(refused) });
  expect(first.body).toContain('This passkey can’t sign you in.');
  await idp.context.passkeys.setSignsIn(callerOf(user.id), true);
  const page = await openPage('passkey');
  const credential = signedBy(page);
  const done = await browser.submit(page, 'passkey', { credential });
  expect(await methodOf(done)).toBe('passkey');
  browser = createBrowser(REDIRECT_URI);
  const again = await browser.submit(await openPage('passkey'), 'passkey', { credential });
  expect(again.body).toContain('The passkey could not be verified.');
});

it('an attacker cannot sign in with a passkey of another directory or a blocked user', async () => {
  const elsewhere = createSoftwareAuthenticator(new URL(idp.host).origin);
  await register('an-account-of-the-user-pool', elsewhere);
  const { passkeys, users } = idp.context;
  await passkeys.setSignsIn(callerOf('an-account-of-the-user-pool'), true);
  const foreign = await openPage('passkey');
  const first = await browser.submit(foreign, 'passkey', {
    credential: signedBy(foreign, elsewhere),
  });
  expect(first.body).toContain('This passkey can’t sign you in.');
  await passkeys.setSignsIn(callerOf(user.id), true);
  await users.update(user.id, { blocked: true });
  const page = await openPage('passkey');
  const done = await browser.submit(page, 'passkey', { credential: signedBy(page) });
  expect(done.status).toBe(422);
});

it('programs complete the second step by the API', async () => {
  const call = async (path: string, body: object, token?: string) => {
    const reply = await fetch(`${idp.host}/api/v2/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-authing-app-id': idp.appId,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    return (await reply.json()) as { code: number; data: Record<string, unknown> };
  };
  const { tickets } = idp.context;
  const mfaToken = await tickets.issue({
    ...{ purpose: 'mfa', userId: user.id, lifeMs: 60_000 },
    data: { appId: idp.appId, firstMethod: 'password', offered: ['PASSKEY'], mayBind: false },
  });
  const { data } = await call('mfa/passkey/options', {}, mfaToken);
  const options = data as unknown as PublicKeyCredentialRequestOptionsJSON;
  const foreign = createSoftwareAuthenticator(new URL(idp.host).origin).get(options);
  expect(await call('mfa/passkey/verify', { credential: foreign }, mfaToken)).toMatchObject({
    code: 2409,
  });
  const credential = authenticator.get(options);
  const done = await call('mfa/passkey/verify', { credential }, mfaToken);
  expect(done).toMatchObject({ code: 200, data: { id: user.id } });
  const used = await call('mfa/passkey/recovery', { recoveryCode: recoveryCodes[0] }, mfaToken);
  expect(used.code).toBe(2401);
});

it('other methods are not offered to a user whose passkey is asked for', async () => {
  const asked = await afterPassword();
  const choices = formsOf(asked.body)
    .filter(({ inputs }) => inputs['act'] === 'choose-step')
    .map(({ inputs }) => inputs['method']);
  expect(choices).toEqual(['PASSKEY_CODE']);
});
