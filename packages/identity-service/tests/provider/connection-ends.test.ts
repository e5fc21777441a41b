import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

describe('the end of a sign-in elsewhere', () => {
  it('[provider-end-1] is told to pages of the application only, and needs one to be told by address or form', async () => {
    const evil = { target_url: 'https://evil.example/', relay_method: 'query' };
    expect(await codeOf(start(evil))).toBe(2307);
    expect(await codeOf(start({ target_url: 'javascript:alert(1)' }))).toBe(400);
    expect(await codeOf(start({ relay_method: 'form_post' }))).toBe(400);
    expect(await codeOf(start({ relay_method: 'pigeon' }))).toBe(400);
    expect(await codeOf(inApp({ redirect_url: 'https://evil.example/' }))).toBe(2307);
    const other = `${idp.host}/interaction/oidc/u-2/login`;
    expect(await codeOf(inApp({ redirect_url: other }))).toBe(2307);
  });

  it('[provider-end-2] a page elsewhere writes nothing into the account of whoever follows its link', async () => {
    const custom = start({ custom_data: JSON.stringify({ role: 'admin' }) });
    expect(await codeOf(custom)).toBe(2307);
    expect(await codeOf(custom, { headers: { referer: 'https://evil.example/' } })).toBe(2307);
    expect(await codeOf(start({ custom_data: '{' }))).toBe(400);
  });

  it('[provider-end-3] by form: the page gets the number of the refusal and what it needs for the second step', async () => {
    const url = start({ target_url: TARGET, relay_method: 'form_post' });
    const page = await signInThere(url);
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${PAGE}`);
    const [form] = formsOf(page.body);
    expect(form?.action).toBe(TARGET);
    expect(form?.inputs).toMatchObject({ code: '1636', uuid: 'u-1' });
    expect(JSON.parse(form?.inputs['data'] ?? '{}')).toMatchObject({ email: 'a***@corp.example' });
  });

  it('[provider-end-4] an in-app browser does its second step at the provider, and its page is told who signed in', async () => {
    const referer = { headers: { referer: `${PAGE}/start` } };
    const url = inApp({
      ...{ target_url: TARGET, relay_method: 'query', with_identities: '1' },
      ...{ with_custom_data: '1', custom_data: JSON.stringify({ team: 'red' }) },
    });
    const asked = await signInThere(url, referer);
    expect(asked.body).toContain('A code goes by e-mail to a***@corp.example.');
    const last = await finish(asked);
    expect(last.url.href).toContain(TARGET);
    expect(last.url.searchParams.get('code')).toBe('200');
    expect(last.url.searchParams.get('uuid')).toBe('u-1');
    const user = JSON.parse(last.url.searchParams.get('data') ?? '{}') as Record<string, unknown>;
    expect(user).toMatchObject({
      email: ADA.email,
      identities: [{ provider: 'buddies', isSocial: true }],
      customData: [{ key: 'team' }],
    });
    expect(JSON.stringify(user['identities'])).not.toContain('profile');
  });

  it('[provider-end-5] without an address to come back to, a page says so and leads to the application', async () => {
    const asked = await signInThere(inApp(), { headers: { referer: `${PAGE}/start` } });
    idp.clock.advance(31_000);
    const last = await finish(asked);
    expect(last.body).toContain('You are signed in');
    expect(last.body).toContain(`href="${PAGE}/start"`);
    const again = await browser.open(last.url.href);
    expect(again.body).toContain('it took too long');
  });

  it('[provider-end-6] who changes their mind elsewhere may choose another way on the page, or go back', async () => {
    const there = await browser.open(inApp({ target_url: TARGET }));
    const page = await browser.submit(there, 'cancel');
    expect(page.body).toContain('the other provider did not sign you in');
    expect(page.body).toContain('Continue with Buddies');
    const back = await browser.submit(page, 'cancel');
    expect(back.url.href).toBe(TARGET);
  });
});
