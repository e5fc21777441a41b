import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RoleRow } from '@deviceportal/contract/access';
import { logInByCode } from '../../../apps/server/tests/support/provider-fixture.ts';
import { mutate, query } from '../../../apps/server/tests/support/portal-api.ts';
import { findViolations } from '../../support/accessibility.ts';
import { launchBrowser } from '../../support/browser.ts';
import { allLooks, putOn } from '../../support/looks.ts';
import { PAGE_TIMEOUT_MS } from '../../support/timeouts.ts';
import { addressOf, askForCode, codeField, readCode } from '../../support/sign-in.ts';
import { spawnPortal, type SpawnedPortal } from '../../support/spawn-portal.ts';
import { totpOf } from '../../support/totp.ts';
import { heading } from '../../support/words.ts';

const PHONE = '+8613800138009';

let browser: Browser;
let portal: SpawnedPortal;

beforeAll(async () => {
  browser = await launchBrowser();
  portal = await spawnPortal(['--fleet', '0', '--no-agent'], {
    DEVICEPORTAL_PROVIDER_SET: 'authing',
    DEVICEPORTAL_IDP_SECOND_STEP: 'required',
    DEVICEPORTAL_SIGN_IN_LIMITS: 'off',
  });
}, 180_000);
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await browser.close();
});

async function openPage(options: BrowserContextOptions = {}): Promise<Page & AsyncDisposable> {
  const context = await browser.newContext({
    ...{ baseURL: portal.url, locale: 'en', viewport: { width: 1440, height: 1600 } },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(2 * PAGE_TIMEOUT_MS);
  await page.goto('/signin');
  return Object.assign(page, { [Symbol.asyncDispose]: () => context.close() });
}

async function firstStep(page: Page, address: string): Promise<void> {
  const askedAt = await askForCode(page, address);
  await codeField(page).fill(await readCode(address, askedAt, portal.url));
}

/** Requires a second factor through the API of the provider, and invites a user as a viewer. */
async function invite(identifier: string): Promise<void> {
  const refused = await logInByCode(portal.url, addressOf('admin'));
  const { mfaToken } = refused.data as unknown as { readonly mfaToken: string };
  const call = async <Data>(path: string, body: object): Promise<Data> => {
    const reply = await fetch(`${portal.url}/idp/api/v2/mfa/totp/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${mfaToken}` },
      body: JSON.stringify({ authenticator_type: 'totp', source: 'SELF', ...body }),
    });
    return ((await reply.json()) as { readonly data: Data }).data;
  };
  const { secret } = await call<{ readonly secret: string }>('associate', {});
  await call('associate/confirm', { totp: totpOf(secret) });
  const { token } = await call<{ readonly token: string }>('verify', { totp: totpOf(secret) });
  const roles = await query(portal.url, { path: 'access.roles.list', token });
  const roleIds = (roles.data as readonly RoleRow[])
    .filter(({ name }) => name === 'Viewer')
    .map(({ id }) => id);
  const input = { identifier, name: 'Wei', roleIds };
  const invited = await mutate(portal.url, { path: 'access.users.invite', token, input });
  expect(invited.status).toBe(200);
}

const home = (page: Page) => heading(page, 'Home').waitFor();

describe('a required second factor', () => {
  test('a user without one sets up an app during the sign-in, and the next sign-in asks for it', async () => {
    await using page = await openPage();
    await firstStep(page, addressOf('support'));
    await page.getByAltText('QR code for your authenticator app').waitFor();
    const [secret = '', recovery = ''] = await page.locator('.si-told dd').allTextContents();
    const number = page.getByLabel('Six-digit code from your authenticator app');
    await number.fill('000000');
    await page.locator('#second-step-problem').getByText('Incorrect code').waitFor();
    await number.fill(totpOf(secret));
    await home(page);

    await using again = await openPage();
    await firstStep(again, addressOf('support'));
    await again.getByLabel('Six-digit code from your authenticator app').waitFor();
    await again.getByRole('button', { name: 'Use the recovery code' }).click();
    await again.getByLabel('Recovery code').fill(recovery);
    await again.keyboard.press('Enter');
    await home(again);
  }, 180_000);

  test('a code is sent to an address that the user completes, and can be sent again after a while', async () => {
    await invite(PHONE);
    const email = 'wei@example.com';
    for (const label of ['Email address for codes', /Your email address \(w\*\*\*@example.com\)/]) {
      await using page = await openPage();
      await firstStep(page, PHONE);
      const setUp = page.getByRole('button', { name: 'Set up codes by email' });
      const own = page.getByLabel(label);
      await setUp.or(own).first().waitFor();
      expect(await page.getByRole('button', { name: /text message/ }).count()).toBe(0);
      if (await setUp.isVisible()) await setUp.click();
      await own.fill(email);
      const sentAt = new Date(Date.now() - 1_000);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /Resend code in \d+ s/ }).waitFor();
      await page
        .getByLabel('Code', { exact: true })
        .fill(await readCode(email, sentAt, portal.url));
      await home(page);
      await page.getByRole('button', { name: /Wei/ }).waitFor();
    }
  }, 240_000);

  test('every method is accessible in both languages, themes, and densities', async () => {
    for (const language of ['en', 'zh-CN'] as const) {
      await using page = await openPage({ locale: language, bypassCSP: true });
      await firstStep(page, addressOf(language === 'en' ? 'viewer' : 'auditor'));
      await page.locator('.si-qr img').waitFor();
      const ways = page.locator('.si-second > .si-row button');
      const count = await ways.count();
      for (let way = 0; way < count; way += 1) {
        for (const look of allLooks.filter((each) => each.language === language)) {
          await putOn(page, look);
          expect(await findViolations(page)).toEqual([]);
        }
        // The last method leads back to the first one and is not opened.
        if (way < count - 1) await ways.nth(way).click();
        await page.locator('#second-step').waitFor();
      }
    }
  }, 240_000);
});
