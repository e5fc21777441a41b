import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { removeCustomValue, setCustomValues } from '../../src/custom-values/custom-value-store.ts';
import { toCustomValue } from '../../src/custom-values/custom-value.ts';
import { createBrowser, formsOf, type Browser, type BrowserPage } from './support/browser.ts';
import { REDIRECT_URI, type OpenProvider } from './support/open-provider.ts';
import { ADA, openTwoProviders, type TwoProviders } from './support/open-upstreams.ts';

const PAGE = new URL(REDIRECT_URI).origin;
const TARGET = `${PAGE}/signed-in`;

let providers: TwoProviders;
let idp: OpenProvider;
let browser: Browser;

beforeAll(async () => {
  providers = await openTwoProviders({ secondStep: 'required' });
  ({ idp } = providers);
}, 120_000);
afterAll(() => providers[Symbol.asyncDispose]());
beforeEach(() => {
  browser = createBrowser(PAGE);
});

const start = (query: Record<string, string> = {}): string =>
  `${idp.host}/connections/social/buddies?${new URLSearchParams({ app_id: idp.appId, uuid: 'u-1', ...query }).toString()}`;

/** An in-app browser: the page itself goes there (identity-sdk.md, section 12). */
const inApp = (query: Record<string, string> = {}): string =>
  start({
    ...{ redirected: '1', from_hosted_guard: '1' },
    redirect_url: `${idp.host}/interaction/oidc/u-1/login`,
    ...query,
  });

async function signInThere(url: string, init: RequestInit = {}): Promise<BrowserPage> {
  const page = await browser.open(url, init);
  if (!page.body.includes('?way=password')) return page;
  const form = await browser.open(`${page.url.origin}${page.url.pathname}?way=password`);
  return browser.submit(form, 'password', { account: ADA.email, password: ADA.password });
}

/** Does the second step on the page that asks for it. */
async function finish(page: BrowserPage): Promise<BrowserPage> {
  const sent = await browser.submit(page, 'send-step');
  return browser.submit(sent, 'second-step', { code: idp.codeFor(ADA.email) });
}

const codeOf = async (url: string, init: RequestInit = {}): Promise<unknown> => {
  const { body } = await browser.open(url, init);
  return (JSON.parse(body) as { code: unknown }).code;
};

describe('the end of an external sign-in', () => {
  it('is sent only to pages of the application, and needs a target page for query or form', async () => {
    const evil = { target_url: 'https://evil.example/', relay_method: 'query' };
    expect(await codeOf(start(evil))).toBe(2307);
    expect(await codeOf(start({ target_url: 'javascript:alert(1)' }))).toBe(400);
    expect(await codeOf(start({ relay_method: 'form_post' }))).toBe(400);
    expect(await codeOf(start({ relay_method: 'pigeon' }))).toBe(400);
    expect(await codeOf(inApp({ redirect_url: 'https://evil.example/' }))).toBe(2307);
    const other = `${idp.host}/interaction/oidc/u-2/login`;
    expect(await codeOf(inApp({ redirect_url: other }))).toBe(2307);
  });

  it('a page on another site cannot write to the account of a user who follows its link', async () => {
    const custom = start({ custom_data: JSON.stringify({ role: 'admin' }) });
    expect(await codeOf(custom)).toBe(2307);
    expect(await codeOf(custom, { headers: { referer: 'https://evil.example/' } })).toBe(2307);
    expect(await codeOf(start({ custom_data: '{' }))).toBe(400);
  });

  it('by form: the page gets the error code and the data for the second factor', async () => {
    const url = start({ target_url: TARGET, relay_method: 'form_post' });
    const page = await signInThere(url);
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${PAGE}`);
    const [form] = formsOf(page.body);
    expect(form?.action).toBe(TARGET);
    expect(form?.inputs).toMatchObject({ code: '1636', uuid: 'u-1' });
    expect(JSON.parse(form?.inputs['data'] ?? '{}')).toMatchObject({ email: 'a***@corp.example' });
  });

  it('an in-app browser completes the second factor at the provider, and its page gets the user', async () => {
    const referer = { headers: { referer: `${PAGE}/start` } };
    const url = inApp({
      ...{ target_url: TARGET, relay_method: 'query', with_identities: '1' },
      ...{ with_custom_data: '1', custom_data: JSON.stringify({ team: 'red' }) },
    });
    const asked = await signInThere(url, referer);
    expect(asked.body).toContain('A code will be sent by email to a***@corp.example.');
    const last = await finish(asked);
    expect(last.url.href).toContain(TARGET);
    expect(last.url.searchParams.get('code')).toBe('200');
    expect(last.url.searchParams.get('uuid')).toBe('u-1');
    const detail = 'custom values set: team';
    expect(idp.events).toContainEqual(expect.objectContaining({ kind: 'accountChanged', detail }));
    const user = JSON.parse(last.url.searchParams.get('data') ?? '{}') as Record<string, unknown>;
    expect(user).toMatchObject({
      email: ADA.email,
      identities: [{ provider: 'buddies', isSocial: true }],
      customData: [{ key: 'team' }],
    });
    expect(JSON.stringify(user['identities'])).not.toContain('profile');
  });

  it('without a target URL, a page shows the result and links to the application', async () => {
    const asked = await signInThere(inApp(), { headers: { referer: `${PAGE}/start` } });
    idp.clock.advance(31_000);
    const last = await finish(asked);
    expect(last.body).toContain('You are signed in');
    expect(last.body).toContain(`href="${PAGE}/start"`);
    const again = await browser.open(last.url.href);
    expect(again.body).toContain('The sign-in timed out');
  });

  it('a user who cancels at the external provider can choose another method on the page or return', async () => {
    const there = await browser.open(inApp({ target_url: TARGET }));
    const page = await browser.submit(there, 'cancel');
    expect(page.body).toContain('The external provider did not sign you in');
    expect(page.body).toContain('Continue with Buddies');
    const back = await browser.submit(page, 'cancel');
    expect(back.url.href).toBe(TARGET);
  });

  describe('a link in the hands of another user', () => {
    const relayed = { target_url: TARGET, relay_method: 'query' };

    /** Signs in up to the link to the end, which is not followed. */
    async function stopBeforeEnd(more: Record<string, string> = {}, init?: RequestInit) {
      browser = createBrowser(`${idp.host}/connections/end`);
      const last = await finish(await signInThere(inApp({ ...relayed, ...more }), init));
      expect(last.url.pathname).toBe('/idp/connections/end');
      return last.url.href;
    }

    /** A browser where somebody is signed in by way of an application; with the other cookies of this one, or none. */
    async function cookiesOf(appId: string, others = ''): Promise<string> {
      const user = await idp.makeUser();
      const { sessionId } = await idp.context.tokens.startSession(user, {
        ...{ appId, method: 'password', address: '127.0.0.1' },
      });
      const seal = idp.context.hash('provider-browser', 'sign-in', sessionId).toString('base64url');
      const kept = others.split('; ').filter((pair) => !pair.startsWith('idp_sign_in='));
      return [...kept, `idp_sign_in=${sessionId}.${seal}`].join('; ');
    }

    const follow = (url: string, cookie: string): Promise<Response> =>
      fetch(url, { headers: { cookie, 'accept-language': 'en' }, redirect: 'manual' });

    it('gets no token of a user who follows it, and a returning user stays signed in', async () => {
      const url = await stopBeforeEnd();
      for (const appId of ['another-application', idp.appId]) {
        const reply = await follow(url, await cookiesOf(appId));
        const body = await reply.text();
        expect(reply.status).toBe(400);
        expect(body).toContain('started in another browser');
        expect(body).not.toContain('eyJ');
      }
      const own = await follow(url, browser.cookieHeader(url));
      expect(await own.text()).toContain(`${TARGET}?code=200`);
    });

    it('a sign-in by another application, or an earlier one, is not used: the user signs in again', async () => {
      const older = await cookiesOf(idp.appId);
      idp.clock.advance(1_000);
      const url = await stopBeforeEnd();
      const own = browser.cookieHeader(url);
      const others = own.split('; ').filter((pair) => !pair.startsWith('idp_sign_in='));
      const tries = [
        await cookiesOf('another-application', own),
        [...others, older].join('; '),
        others.join('; '),
      ];
      for (const cookie of tries) {
        const reply = await follow(url, cookie);
        expect(reply.status).toBe(303);
        expect(reply.headers.get('location')).toContain('/interaction/service/');
        expect(await reply.text()).not.toContain('eyJ');
      }
      const newer = await follow(url, await cookiesOf(idp.appId, own));
      expect(await newer.text()).toContain(`${TARGET}?code=200`);
    });

    it('too many values are rejected on the page, and the link stays valid', async () => {
      const url = await stopBeforeEnd(
        { custom_data: JSON.stringify({ extra: 1 }) },
        { headers: { referer: `${PAGE}/start` } },
      );
      const user = await idp.context.users.findBy('email', ADA.email);
      const target = { type: 'USER', id: user?.id ?? '' };
      const many = Array.from({ length: 100 }, (_, index) => toCustomValue(`key${index}`, index));
      await setCustomValues(idp.pool, target, many, new Date());
      const full = await follow(url, browser.cookieHeader(url));
      expect(await full.text()).toContain('too many custom values');
      for (const { key } of many) await removeCustomValue(idp.pool, target, key);
      const last = await follow(url, browser.cookieHeader(url));
      expect(await last.text()).toContain(`${TARGET}?code=200`);
    });
  });
});
