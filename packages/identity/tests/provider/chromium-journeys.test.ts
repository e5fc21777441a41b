import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AuthenticationClient } from 'authing-js-sdk';
import { generate } from 'otplib';
import { PNG } from 'pngjs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleScript } from '../../../identity-client/tests/support/bundle-script.ts';
import { launchChromium } from '../../../identity-client/tests/support/launch-chromium.ts';
import { findViolations } from './support/find-violations.ts';
import { openApplication, type OpenApplication } from './support/open-application.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';
import { scanPicture } from './support/phone.ts';

const PASSWORD = 'Correct horse 1';
const require = createRequire(import.meta.url);

/** Both define classes of the same names. */
const clients = [
  {
    name: 'the unchanged public package',
    global: 'Authing',
    script: () => readFile(require.resolve('authing-js-sdk/build/browser/index.min.js'), 'utf8'),
  },
  { name: 'our client', global: 'identityClient', script: bundleScript },
] as const;

let idp: OpenProvider;
let browser: Browser;
let application: OpenApplication;

beforeAll(async () => {
  application = await openApplication();
  idp = await openProvider({ allowedOrigins: [application.origin], limits: 'off' });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await idp?.[Symbol.asyncDispose]();
  await application?.[Symbol.asyncDispose]();
});

/** What a page holds: the client, and what it heard. */
interface PageState {
  readonly client: AuthenticationClient;
  readonly heard: string[];
  qr?: { readonly url?: string; readonly scanned?: boolean; readonly user?: { email?: string } };
}

describe.each(clients)('$name in Chromium', ({ global, script }) => {
  const email = `${global.toLowerCase()}@example.com`;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    await idp.makeUser({
      ...{ email, emailVerified: true, password: PASSWORD, profile: { nickname: 'Ada' } },
    });
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(application.origin);
    await page.evaluate(await script());
    await page.evaluate(
      ({ name, appId, host }) => {
        const { AuthenticationClient: Client } = (globalThis as never)[name] as {
          AuthenticationClient: new (options: object) => AuthenticationClient;
        };
        const socketUri = host.replace('http:', 'ws:');
        const client = new Client({ appId, appHost: host, socketUri, lang: 'en-US' });
        const state = { client, heard: [] };
        Object.assign(globalThis, { stateOf: () => state });
      },
      { name: global, appId: idp.appId, host: idp.host },
    );
  });
  afterAll(() => context?.close());

  const sessionMethods = async (): Promise<string[]> => {
    const user = await idp.context.users.findBy('email', email);
    return (await idp.context.tokens.listSessions(user?.id ?? '')).map(({ method }) => method);
  };

  it('signs in with a code from an email, and signs out', async () => {
    await page.evaluate(
      (to) => stateOf().client.sendEmail(to, 'LOGIN_VERIFY_CODE' as never),
      email,
    );
    const user = await page.evaluate(
      ([to, code]) => stateOf().client.loginByEmailCode(to ?? '', code ?? ''),
      [email, idp.codeFor(email)],
    );
    expect(user).toMatchObject({ email });
    expect(await sessionMethods()).toHaveLength(1);
    await page.evaluate(() => stateOf().client.logout());
    expect(await sessionMethods()).toEqual([]);
  });

  it('a phone confirms the QR code on its page, and the application is signed in', async () => {
    await page.evaluate(() => {
      const state = stateOf();
      state.client.qrcode.startScanning('qr', {
        autoExchangeUserInfo: true,
        interval: 300,
        onCodeShow: (_random: string, url: string) => void (state.qr = { ...state.qr, url }),
        onScanned: () => void (state.qr = { ...state.qr, scanned: true }),
        onSuccess: (user: { email?: string }) => void (state.qr = { ...state.qr, user }),
      } as never);
    });
    await page.locator('#qr img, #qr canvas').first().waitFor();
    await page.waitForFunction(() => stateOf().qr?.url !== undefined);
    const address = await scanPicture((await page.evaluate(() => stateOf().qr?.url)) ?? '');

    const phones = await browser.newContext({
      ...{ locale: 'en', viewport: { width: 390, height: 800 }, hasTouch: true },
    });
    const phone = await phones.newPage();
    await phone.goto(address);
    const looks = [await findViolations(phone)];
    await phone.getByLabel('Email or phone number').fill(email);
    await phone.getByRole('button', { name: 'Send code' }).click();
    await phone.getByLabel('Code').waitFor();
    looks.push(await findViolations(phone));
    await phone.getByLabel('Code').fill(idp.codeFor(email));
    await phone.getByRole('button', { name: 'Sign in' }).click();
    await phone.getByRole('heading', { name: /on another device\?/ }).waitFor();
    await page.waitForFunction(() => stateOf().qr?.scanned === true);
    expect(await phone.getByText('On the same network as this phone.').count()).toBe(1);
    for (const colorScheme of ['light', 'dark'] as const) {
      await phone.emulateMedia({ colorScheme });
      looks.push(await findViolations(phone));
    }
    await phone.keyboard.press('Tab');
    await phone.keyboard.press('Enter');
    await phone.getByRole('status').getByText('Done.').waitFor();
    expect(looks.flat()).toEqual([]);
    await phones.close();

    await page.waitForFunction(() => stateOf().qr?.user !== undefined);
    const current = await page.evaluate(() => stateOf().client.getCurrentUser());
    expect(current).toMatchObject({ email, nickname: 'Ada' });
    expect(await sessionMethods()).toContain('app-qrcode');
  }, 120_000);

  it('an avatar that the user uploads is stored and shown', async () => {
    const picture = PNG.sync.write(new PNG({ width: 16, height: 16 }));
    const chosen = page.waitForEvent('filechooser');
    const updated = page.evaluate(() => stateOf().client.updateAvatar());
    const files = [{ name: 'me.png', mimeType: 'image/png', buffer: picture }];
    await (await chosen).setFiles(files);
    const { photo } = (await updated) as { photo: string };
    expect(photo).toMatch(/\/uploads\/avatar\//);
    const size = await page.evaluate(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      return image.naturalWidth;
    }, photo);
    expect(size).toBe(16);
  });

  it('an event reaches the page that subscribed to it', async () => {
    await page.evaluate(() => {
      const state = stateOf();
      state.client.event.sub(
        'greeting',
        ((text: string) => void state.heard.push(text)) as never,
        () => undefined,
      );
    });
    await expect
      .poll(
        async () => {
          await page.evaluate(() => stateOf().client.event.pub('greeting', 'Grüezi 你好'));
          return page.evaluate(() => stateOf().heard[0]);
        },
        { timeout: 20_000, interval: 500 },
      )
      .toBe('Grüezi 你好');
  });

  it('the browser is listed as a device of its user', async () => {
    expect(await page.evaluate(() => stateOf().client.browserFingerprint.createDevice())).toBe(
      true,
    );
    const devices = await page.evaluate(() => stateOf().client.browserFingerprint.myDevicesList());
    expect(devices).toMatchObject([
      { device: { type: 'Browser', vendor: 'Google' }, online: true },
    ]);
  });

  it('an authenticator app is required at the next sign-in', async () => {
    const numberNow = (secret: string) =>
      generate({ secret, epoch: Math.floor(idp.clock.now() / 1_000) });
    const { secret, qrcode_data_url: picture } = await page.evaluate(() =>
      stateOf().client.mfa.assosicateMfaAuthenticator({
        ...{ authenticatorType: 'totp', source: 'SELF' },
      } as never),
    );
    expect(await scanPicture(picture)).toContain(secret);
    await page.evaluate(
      (totp) =>
        stateOf().client.mfa.confirmAssosicateMfaAuthenticator({
          ...{ authenticatorType: 'totp', source: 'SELF', totp },
        } as never),
      await numberNow(secret),
    );
    await page.evaluate(() => stateOf().client.logout());
    const refused = await page.evaluate(
      async ([to, password]) => {
        const error = await stateOf()
          .client.loginByEmail(to ?? '', password ?? '')
          .catch((thrown: unknown) => thrown);
        const { code, data } = error as { code: number; data: { mfaToken: string } };
        return { code, mfaToken: data.mfaToken };
      },
      [email, PASSWORD],
    );
    expect(refused.code).toBe(1636);
    idp.clock.advance(30_000);
    const user = await page.evaluate(
      ([totp, mfaToken]) =>
        stateOf().client.mfa.verifyTotpMfa({ totp: totp ?? '', mfaToken: mfaToken ?? '' }),
      [await numberNow(secret), refused.mfaToken],
    );
    expect(user).toMatchObject({ email });
    expect(await sessionMethods()).toContain('password+otp');
    expect(idp.failures).toEqual([]);
  });
});

/** Defined in the page; what is handed to `page.evaluate` runs there. */
declare function stateOf(): PageState;
