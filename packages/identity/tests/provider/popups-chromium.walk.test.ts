import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AuthenticationClient } from 'authing-js-sdk';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleScript } from '../../../identity-client/tests/support/bundle-script.ts';
import { launchChromium } from '../../../identity-client/tests/support/launch-chromium.ts';
import { openApplication, type OpenApplication } from './support/open-application.ts';
import type { OpenProvider } from './support/open-provider.ts';
import { ADA, openTwoProviders, type TwoProviders } from './support/open-upstreams.ts';

const require = createRequire(import.meta.url);
const MESSENGER = 'Mozilla/5.0 (Linux; Android 14) Chrome/120.0.0.0 Mobile MicroMessenger/8.0.44';

/** Both define classes of the same names. */
const clients = [
  {
    name: 'the unchanged public package',
    global: 'Authing',
    script: () => readFile(require.resolve('authing-js-sdk/build/browser/index.min.js'), 'utf8'),
  },
  { name: 'our client', global: 'identityClient', script: bundleScript },
] as const;

let browser: Browser;
let application: OpenApplication;
let providers: TwoProviders;
let idp: OpenProvider;

beforeAll(async () => {
  application = await openApplication();
  providers = await openTwoProviders({
    application: {
      ...{ id: 'app-1', secret: 'a secret of the application', name: 'The application' },
      redirectUris: [`${application.origin}/callback`],
    },
  });
  ({ idp } = providers);
  browser = await launchChromium();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await providers?.[Symbol.asyncDispose]();
  await application?.[Symbol.asyncDispose]();
});

interface Heard {
  user?: { readonly email?: string; readonly token?: string };
  error?: { readonly code: unknown; readonly message: string };
}

type Client = Pick<AuthenticationClient, 'enterprise' | 'social' | 'trackSession'>;

/** A page of the application, with a client in it. */
async function openPage(
  { global, script }: (typeof clients)[number],
  options: BrowserContextOptions = {},
): Promise<Page & AsyncDisposable> {
  const context = await browser.newContext({ locale: 'en', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${application.origin}/start`);
  await page.evaluate(await script());
  await page.evaluate(
    ({ name, appId, host }) => {
      const { AuthenticationClient: Constructor } = (globalThis as never)[name] as {
        AuthenticationClient: new (given: object) => Client;
      };
      const client = new Constructor({ appId, appHost: host, lang: 'en-US', onError: () => {} });
      const state = { client, heard: {} as Heard };
      Object.assign(globalThis, { stateOf: () => state });
    },
    { name: global, appId: idp.appId, host: idp.host },
  );
  return Object.assign(page, { [Symbol.asyncDispose]: () => context.close() });
}

type Call =
  | { readonly social: string }
  | { readonly protocol: string; readonly identifier: string };

/** Begins a sign-in as the application does, and hears of its end. */
function begin(page: Page, call: Call, more: object = {}): Promise<void> {
  return page.evaluate(
    ([asked, extra]) => {
      const { client, heard } = stateOf();
      const hears = {
        onSuccess: (user: Heard['user']) => void (heard.user = user ?? {}),
        onError: (code: unknown, message: string) => void (heard.error = { code, message }),
      };
      const begun =
        'social' in asked
          ? client.social.authorize(asked.social as never, { ...hears, ...extra } as never)
          : client.enterprise.authorize(asked.protocol as never, asked.identifier, hears as never);
      void Promise.resolve(begun).catch((error: { code?: unknown; message: string }) => {
        heard.error ??= { code: error.code, message: error.message };
      });
    },
    [call, more] as const,
  );
}

const heardBy = (page: Page): Promise<Heard> => page.evaluate(() => stateOf().heard);

async function signInThere(popup: Page): Promise<void> {
  await popup.getByRole('link', { name: 'Use a password instead' }).click();
  await popup.getByLabel(/Email address/).fill(ADA.email);
  await popup.getByLabel('Password').fill(ADA.password);
  await popup.keyboard.press('Enter');
}

describe.each(clients)('windows of $name in Chromium', (each) => {
  it.each([
    { social: 'buddies' },
    { protocol: 'oidc', identifier: 'corp' },
    { protocol: 'saml', identifier: 'corp-saml' },
  ])(
    '%o: after an external sign-in, the page gets the user, and the window is closed',
    async (call) => {
      await using page = await openPage(each);
      const opened = page.waitForEvent('popup');
      await begin(page, call);
      const popup = await opened;
      const closed = popup.waitForEvent('close');
      await signInThere(popup);
      await closed;
      await page.waitForFunction(() => stateOf().heard.user !== undefined);
      const { error, user } = await heardBy(page);
      expect(error).toBeUndefined();
      expect(user).toMatchObject({ email: ADA.email });
      expect(await idp.context.tokens.verify(user?.token ?? '')).toBeDefined();
      expect(idp.failures).toEqual([]);
    },
    180_000,
  );

  it('inside a messaging app, the page itself is redirected and returns to a page that continues', async () => {
    await using page = await openPage(each, { userAgent: MESSENGER });
    await begin(page, { social: 'buddies' });
    await page.getByRole('link', { name: 'Use a password instead' }).waitFor();
    await signInThere(page);
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    await page.getByRole('link', { name: 'Continue to The application' }).click();
    await page.waitForURL(`${application.origin}/**`);
    const session = await page.request.get(`${idp.host}/cas/session`);
    expect(await session.json()).toMatchObject({ userInfo: { email: ADA.email } });
  }, 180_000);

  it('inside a messaging app, with a target URL, the result is sent there as requested', async () => {
    await using page = await openPage(each, { userAgent: MESSENGER });
    const targetUrl = `${application.origin}/signed-in?a=1`;
    const asked = { target_url: targetUrl, relay_method: 'query' };
    await begin(page, { social: 'buddies' }, { ...asked, targetUrl, relayMethod: 'query' });
    await page.getByRole('link', { name: 'Use a password instead' }).waitFor();
    await signInThere(page);
    await page.waitForURL(/\/signed-in\?/);
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('a')).toBe('1');
    expect(searchParams.get('code')).toBe('200');
    const { email, token } = JSON.parse(searchParams.get('data') ?? '{}') as Record<string, string>;
    expect(email).toBe(ADA.email);
    expect(await idp.context.tokens.verify(token ?? '')).toBeDefined();
  }, 180_000);
});

describe('our client', () => {
  const [, ours] = clients;

  it('a message of another origin does not sign in, and a closed window is an error', async () => {
    await using page = await openPage(ours);
    const opened = page.waitForEvent('popup');
    await begin(page, { social: 'buddies' });
    const popup = await opened;
    await popup.getByRole('link', { name: 'Use a password instead' }).waitFor();
    // The window is on the other provider now: whoever is there is not the application's provider.
    await popup.evaluate(() => {
      const event = { source: 'authing', eventType: 'socialLogin' };
      window.opener.postMessage({ code: 200, data: { id: 'eve', token: 'a.b.c' }, event }, '*');
    });
    const frame = await page.evaluate(() => {
      const event = { source: 'authing', eventType: 'socialLogin' };
      window.postMessage({ code: 200, data: { id: 'eve', token: 'a.b.c' }, event }, '*');
      return window.length;
    });
    expect(frame).toBe(0);
    await popup.close();
    await page.waitForFunction(() => stateOf().heard.error !== undefined);
    const { error, user } = await heardBy(page);
    expect(user).toBeUndefined();
    expect(error?.message).toBe('The sign-in window was closed');
  }, 120_000);

  it('a browser that blocks windows causes an error, for both kinds', async () => {
    await using page = await openPage(ours);
    for (const call of [{ social: 'buddies' }, { protocol: 'oidc', identifier: 'corp' }]) {
      await page.evaluate(() => {
        window.open = () => null;
        delete stateOf().heard.error;
      });
      await begin(page, call);
      await page.waitForFunction(() => stateOf().heard.error !== undefined);
      expect((await heardBy(page)).error?.message).toBe('The browser blocked the sign-in window');
    }
  }, 120_000);
});

/** Defined in the page; what is handed to `page.evaluate` runs there. */
declare function stateOf(): { readonly client: Client; readonly heard: Heard };
