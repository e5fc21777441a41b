import { generate } from 'otplib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../identity-client/tests/support/launch-chromium.ts';
import { findViolations } from './support/find-violations.ts';
import { openApplication, type OpenApplication } from './support/open-application.ts';
import { isLeftOut } from './support/is-left-out.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';
import { ADA, openTwoProviders, type TwoProviders } from './support/open-upstreams.ts';
import { scanPicture } from './support/phone.ts';

const EVE = 'eve@example.com';

let browser: Browser;
let application: OpenApplication;
let providers: TwoProviders;
let idp: OpenProvider;

beforeAll(async () => {
  application = await openApplication();
  providers = await openTwoProviders({
    application: {
      ...{ id: 'app-1', secret: 'a secret of the application' },
      redirectUris: [`${application.origin}/callback`],
    },
  });
  ({ idp } = providers);
  await idp.makeUser({ email: EVE, emailVerified: true, profile: { nickname: 'Eve' } });
  browser = await launchChromium();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await providers?.[Symbol.asyncDispose]();
  await application?.[Symbol.asyncDispose]();
});

/** A browser of its own, on the page where people sign in for an application. */
async function openPage(
  options: BrowserContextOptions = {},
  { appId, host }: OpenProvider = idp,
): Promise<Page & AsyncDisposable> {
  const context = await browser.newContext({ locale: 'en', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const asked = {
    client_id: appId,
    redirect_uri: `${application.origin}/callback`,
    scope: 'openid email',
  };
  const query = new URLSearchParams({ ...asked, response_type: 'code', state: 'state-1' });
  await page.goto(`${host}/oidc/auth?${query.toString()}`);
  return Object.assign(page, { [Symbol.asyncDispose]: () => context.close() });
}

const atApplication = (page: Page) => page.waitForURL(/\/callback\?.*code=/);

describe('the page in Chromium', () => {
  it.each(['Corp', 'Corp by SAML', 'Corp by CAS', 'Buddies'])(
    'signs in with an account at %s and returns to the application',
    async (name) => {
      await using page = await openPage();
      await page.getByRole('link', { name: `Continue with ${name}`, exact: true }).click();
      await page.getByRole('link', { name: 'Use a password instead' }).click();
      await page.getByLabel(/Email address/).fill(ADA.email);
      await page.getByLabel('Password').fill(ADA.password);
      await page.keyboard.press('Enter');
      await atApplication(page);
      expect(idp.failures).toEqual([]);
    },
    120_000,
  );

  it('the QR code follows the phone automatically', async () => {
    await using page = await openPage();
    await page.getByRole('link', { name: 'Scan a QR code' }).click();
    const picture = page.getByAltText('QR code to scan with your phone');
    const address = await scanPicture((await picture.getAttribute('src')) ?? '');
    const phones = await browser.newContext({
      locale: 'en',
      viewport: { width: 390, height: 800 },
    });
    const phone = await phones.newPage();
    await phone.goto(address);
    await phone.getByLabel('Email or phone number').fill(EVE);
    await phone.keyboard.press('Enter');
    await phone.getByLabel('Code').fill(await codeOf(EVE));
    await phone.keyboard.press('Enter');
    await page.getByRole('status').getByText('Eve: confirm the sign-in on your phone.').waitFor();
    await phone.getByRole('button', { name: 'Yes, sign in' }).click();
    await atApplication(page);
    await phones.close();
  }, 120_000);

  it('is accessible: both languages, light and dark, keyboard only', async () => {
    for (const locale of ['en', 'zh-CN']) {
      await using page = await openPage({ locale, bypassCSP: true });
      const own = page.url();
      for (const way of ['code', 'password', 'qr']) {
        await page.goto(`${own}?way=${way}`);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await findViolations(page)).toEqual([]);
        }
      }
    }
    await using page = await openPage();
    await page.locator('input[name=account]:focus').waitFor();
    await page.keyboard.type(EVE);
    await page.keyboard.press('Enter');
    // By keys alone: whoever types goes by where the cursor stands.
    await page.locator('input[autocomplete=one-time-code]:focus').waitFor();
    await page.keyboard.type(await codeOf(EVE));
    await atApplication(page);
  }, 120_000);

  it('a second factor is set up on the page, in both languages, light and dark; another code can be sent after the waiting time', async () => {
    await using strict = await openProvider({
      ...{ secondStep: 'required', limits: 'off' },
      application: idp.provider.settings.application,
    });
    await strict.makeUser({ username: 'newcomer', password: ADA.password });
    for (const locale of ['en', 'zh-CN']) {
      await using page = await openPage({ locale, bypassCSP: true }, strict);
      const look = async (): Promise<void> => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await findViolations(page)).toEqual([]);
        }
      };
      await page.goto(`${page.url()}?way=password`);
      await page.locator('input[name=account]').fill('newcomer');
      await page.locator('input[name=password]').fill(ADA.password);
      await page.keyboard.press('Enter');
      await page.locator('img.qr').waitFor();
      await look();
      for (const method of [...(isLeftOut('face') ? [] : ['FACE']), 'SMS', 'EMAIL']) {
        await page.locator(`form:has(input[value="${method}"]) button.second`).click();
        await page.locator('input[name=photo], input[name=contact]').waitFor();
        await look();
      }
      await page.locator('input[name=contact]').fill(`${locale}@example.com`);
      await page.keyboard.press('Enter');
      await page.locator('button[data-wait][disabled]').filter({ hasText: /\d+ / }).waitFor();
      await look();
    }
    await using page = await openPage({}, strict);
    await page.goto(`${page.url()}?way=password`);
    await page.getByLabel(/username/).fill('newcomer');
    await page.getByLabel('Password').fill(ADA.password);
    await page.keyboard.press('Enter');
    const secret = (await page.locator('dd code').first().textContent()) ?? '';
    const epoch = Math.floor(strict.clock.now() / 1_000);
    await page.keyboard.type(await generate({ secret, epoch }));
    await atApplication(page);
    expect(strict.failures).toEqual([]);
  }, 180_000);
});

async function codeOf(to: string): Promise<string> {
  await expect.poll(() => idp.codeFor(to), { timeout: 20_000 }).toMatch(/^\d{6}$/);
  return idp.codeFor(to);
}
