import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBrowser, formsOf, type Browser, type BrowserPage } from './support/browser.ts';
import {
  BASE,
  hasDirectory,
  openDirectory,
  SERVICE,
  type Directory,
} from './support/open-directory.ts';
import { REDIRECT_URI, type OpenProvider } from './support/open-provider.ts';
import { ADA, openTwoProviders, type TwoProviders } from './support/open-upstreams.ts';
import { createPhone } from './support/phone.ts';

const SECRET = 'a secret of the application';
const EVE = { email: 'eve@example.com', password: 'Correct horse 1' };

let directory: Directory | undefined;
let providers: TwoProviders;
let idp: OpenProvider;
let config: client.Configuration;
let browser: Browser;

beforeAll(async () => {
  directory = hasDirectory ? await openDirectory() : undefined;
  await directory?.add('anna', { uid: 'anna', mail: 'anna@corp.example', userPassword: 'Anna 1' });
  providers = await openTwoProviders({
    connections: directory === undefined ? [] : [connectionTo(directory)],
  });
  ({ idp } = providers);
  await idp.makeUser({ ...EVE, emailVerified: true, profile: { nickname: 'Eve' } });
  config = await client.discovery(
    new URL(`${idp.host}/oidc`),
    idp.appId,
    SECRET,
    client.ClientSecretPost(SECRET),
    { execute: [client.allowInsecureRequests] },
  );
}, 120_000);
afterAll(async () => {
  await providers[Symbol.asyncDispose]();
  await directory?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  browser = createBrowser(REDIRECT_URI);
});

const connectionTo = ({ url }: Directory) => ({
  protocol: 'ldap' as const,
  ...{ identifier: 'staff', displayName: 'Staff', url, baseDn: BASE },
  ...{ bindDn: SERVICE.dn, bindPassword: SERVICE.password },
});

/** An application asks somebody to sign in. */
async function begin(asked: Record<string, string> = {}): Promise<Waiting> {
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    ...{ redirect_uri: REDIRECT_URI, scope: 'openid email', state: 'state-1', ...asked },
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return { page: await browser.open(url.href), verifier };
}

interface Waiting {
  readonly page: BrowserPage;
  readonly verifier: string;
}

/** Who the application learns has signed in. */
async function claimsOf({ verifier }: Waiting, last: BrowserPage): Promise<string | undefined> {
  expect(last.url.href).toContain(REDIRECT_URI);
  const tokens = await client.authorizationCodeGrant(config, last.url, {
    pkceCodeVerifier: verifier,
    expectedState: 'state-1',
  });
  return tokens.claims()?.['email'] as string | undefined;
}

const at = (page: BrowserPage, path: string): string =>
  new URL(`${page.url.pathname}${path}`, page.url).href;

/** Signs Ada in at the other provider, from the page that waits. */
async function signInElsewhere(page: BrowserPage, identifier: string): Promise<BrowserPage> {
  const there = await browser.open(at(page, `/with/${identifier}`));
  if (!there.body.includes('name="act"')) return there;
  const form = await browser.open(at(there, '?way=password'));
  let next = await browser.submit(form, 'password', { account: ADA.email, password: ADA.password });
  if (next.body.includes('value="allow"')) next = await browser.submit(next, 'allow');
  // The answer of SAML is a form that goes on by itself.
  return next.body.includes('SAMLResponse') ? browser.submit(next, '') : next;
}

const waysOn = ({ body }: BrowserPage): string[] =>
  [...body.matchAll(/<a class="button"[^>]*>([^<]*)<\/a>/g)].map(([, text = '']) => text);

describe('other sign-in methods of the page', () => {
  it('are those of the public configuration, in its order, and keep the language', async () => {
    const { page } = await begin();
    expect(waysOn(page)).toEqual([
      ...['Continue with Corp', 'Continue with Corp by SAML', 'Continue with Corp by CAS'],
      'Continue with Buddies',
      ...(hasDirectory ? ['Sign in with the directory'] : []),
      'Scan a QR code',
    ]);
    const chinese = await browser.open(at(page, '?lang=zh-CN'));
    expect(chinese.body).toContain('使用 Corp 登录');
    expect(chinese.body).toContain('?way=qr&#38;lang=zh-CN');
  });

  it.each(['corp', 'buddies', 'corp-saml', 'corp-cas'])(
    'by %s: signs in with the external account and returns to the application',
    async (identifier) => {
      const waiting = await begin();
      const last = await signInElsewhere(waiting.page, identifier);
      expect(idp.failures).toEqual([]);
      expect(last.url.href).toContain(REDIRECT_URI);
      expect(await claimsOf(waiting, last)).toBe(ADA.email);
    },
  );

  it('a user who cancels there is informed on the page', async () => {
    const { page } = await begin();
    const there = await browser.open(at(page, '/with/corp'));
    const back = await browser.submit(there, 'cancel');
    expect(back.url.pathname).toBe(page.url.pathname);
    expect(back.body).toContain('The external provider did not sign you in');
    expect(waysOn(back)).toContain('Continue with Corp');
    const unknown = await browser.open(at(page, '/with/nobody'));
    expect(unknown.body).toContain('identity provider config does not exist');
  });

  it('[idp-hosted-4] an application that requires a new sign-in gets a new external one, not an earlier one', async () => {
    const before = await begin();
    await claimsOf(before, await signInElsewhere(before.page, 'corp'));
    const waiting = await begin({ prompt: 'login' });
    expect(waysOn(waiting.page)).toContain('Continue with Corp');
    const { url } = waiting.page;
    const pretended = await browser.open(at(waiting.page, '?arrival=made-up'));
    expect(pretended.url.pathname).toBe(url.pathname);
    // The other provider asks again as well.
    const there = await browser.open(at(waiting.page, '/with/corp'));
    expect(there.body).toContain('name="act"');
    const last = await signInElsewhere(waiting.page, 'corp');
    expect(await claimsOf(waiting, last)).toBe(ADA.email);
  });

  it('the return URL is invalid in another browser', async () => {
    // The page of CAS is not bound to a browser by its protocol.
    const victim = browser;
    const asked = `${idp.host}/cas-idp/${idp.appId}/login?service=${encodeURIComponent(REDIRECT_URI)}`;
    const service = await victim.open(asked);
    browser = createBrowser(`${service.url.href}?arrival`);
    const there = await browser.open(at(await browser.open(service.url.href), '/with/buddies'));
    const form = await browser.open(at(there, '?way=password'));
    const { email: account, password } = ADA;
    const back = await browser.submit(form, 'password', { account, password });
    expect(back.url.search).toContain('arrival=');
    const foreign = await victim.open(back.url.href);
    expect(foreign.url.href).not.toContain('ticket=');
    expect(foreign.body).toContain('Continue with Corp');
  });

  it.runIf(hasDirectory)(
    'with the directory: an incorrect password is reported, and the correct one signs in',
    async () => {
      const waiting = await begin();
      const form = await browser.open(at(waiting.page, '?way=ldap'));
      const wrong = await browser.submit(form, 'ldap', { account: 'anna', password: 'wrong' });
      expect(wrong.status).toBe(422);
      expect(wrong.body).toContain('Incorrect account or password');
      const last = await browser.submit(wrong, 'ldap', { account: 'anna', password: 'Anna 1' });
      expect(await claimsOf(waiting, last)).toBe('anna@corp.example');
    },
  );
});

describe('the QR code of the page', () => {
  const scanOf = (page: BrowserPage): string =>
    `${idp.host}/qr/${formsOf(page.body).find(({ inputs }) => inputs['act'] === 'qr')?.inputs['scan']}`;

  it('signs in the user who confirms it on the phone, and no user before that', async () => {
    const waiting = await begin();
    const shown = await browser.open(at(waiting.page, '?way=qr'));
    expect(shown.headers.get('content-security-policy')).toContain("connect-src 'self'");
    expect(waiting.page.headers.get('content-security-policy')).not.toContain('connect-src');
    const early = await browser.submit(shown, 'qr');
    expect(scanOf(early)).toBe(scanOf(shown));
    const phone = createPhone(idp);
    await phone.signIn(scanOf(shown), EVE.email);
    expect((await browser.submit(shown, 'qr')).body).toContain(
      'Eve: confirm the sign-in on your phone.',
    );
    await phone.press(scanOf(shown), 'confirm');
    expect(await claimsOf(waiting, await browser.submit(shown, 'qr'))).toBe(EVE.email);
  });

  it('a rejected code is replaced by another, but not without limit', async () => {
    const { page } = await begin();
    let shown = await browser.open(at(page, '?way=qr'));
    const phone = createPhone(idp);
    await phone.signIn(scanOf(shown), EVE.email);
    await phone.press(scanOf(shown), 'cancel');
    const next = await browser.submit(shown, 'qr');
    expect(scanOf(next)).not.toBe(scanOf(shown));
    shown = next;
    for (let round = 2; round <= 5; round += 1) {
      idp.clock.advance(130_000);
      shown = await browser.submit(shown, 'qr');
      expect(scanOf(shown)).not.toContain('undefined');
    }
    idp.clock.advance(130_000);
    const last = await browser.submit(shown, 'qr');
    expect(last.body).toContain('This QR code has expired.');
    expect(last.body).toContain('Create new QR code');
  });
});
