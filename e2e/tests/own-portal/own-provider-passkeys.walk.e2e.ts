import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from '../../support/accessibility.ts';
import { launchBrowser } from '../../support/browser.ts';
import { PAGE_TIMEOUT_MS } from '../../support/timeouts.ts';
import { addressOf, askForCode, codeField, readCode } from '../../support/sign-in.ts';
import { spawnPortal, type SpawnedPortal } from '../../support/spawn-portal.ts';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../support/virtual-authenticator.ts';
import { heading } from '../../support/words.ts';

const EMAIL = addressOf('viewer');

let browser: Browser;
let portal: SpawnedPortal;
let page: Page;
let authenticator: VirtualAuthenticator;

beforeAll(async () => {
  browser = await launchBrowser();
  portal = await spawnPortal(['--fleet', '0', '--no-agent'], {
    DEVICEPORTAL_PROVIDER_SET: 'authing',
    DEVICEPORTAL_SIGN_IN_LIMITS: 'off',
  });
  const viewport = { width: 1440, height: 1600 };
  // So that the accessibility check can be added to the sign-in pages of the provider.
  const options = { baseURL: portal.url, locale: 'en', viewport, bypassCSP: true };
  page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(2 * PAGE_TIMEOUT_MS);
  authenticator = await addVirtualAuthenticator(page);
}, 180_000);
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await browser.close();
});

async function signInToPortal(): Promise<void> {
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto('/signin?next=%2Fprofile');
  const askedAt = await askForCode(page, EMAIL);
  await codeField(page).fill(await readCode(EMAIL, askedAt, portal.url));
}

/** Another application sends a browser without a session to the sign-in page of the provider. */
async function openProviderPage(): Promise<void> {
  await page.context().clearCookies();
  const asked = { client_id: 'deviceportal', redirect_uri: `${portal.url}/signin` };
  const request = { ...asked, scope: 'openid', response_type: 'code', state: 's', nonce: 'n' };
  await page.goto(`/idp/oidc/auth?${new URLSearchParams(request).toString()}`);
}

const returned = (): Promise<void> => page.waitForURL(/\/signin\?code=/);

test('a user of the provider adds a passkey in the portal, and uses it there and on the sign-in page of the provider', async () => {
  await page.goto('/signin');
  await signInToPortal();
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  await codes.waitFor();
  const recovery = await codes.getByRole('listitem').allTextContents();
  await codes.getByRole('button', { name: 'I saved the codes' }).click();
  await page.getByText('Sign in without a code').click();
  await expect.poll(() => page.getByLabel('Sign in without a code').isChecked()).toBe(true);

  await signInToPortal();
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await heading(page, 'My profile').waitFor();
  await signInToPortal();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recovery[0] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('9 recovery codes left.').waitFor();

  await authenticator.setPresent(false);
  await openProviderPage();
  await page.getByRole('link', { name: 'Use a passkey instead' }).click();
  await page.getByRole('button', { name: 'Use passkey' }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await authenticator.setPresent(true);
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await returned();

  // Chosen in the field for the account.
  await openProviderPage();
  await page.locator('input[autocomplete="username webauthn"]').waitFor();
  await page.mouse.move(200, 200);
  await returned();

  await authenticator.setPresent(false);
  await openProviderPage();
  const askedAt = new Date(Date.now() - 1_000);
  await page.getByLabel('Email address or phone number').fill(EMAIL);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.locator('input.code').waitFor();
  await page.locator('input.code').fill(await readCode(EMAIL, askedAt, portal.url));
  await page.getByText('Confirm the sign-in with your passkey.').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await authenticator.setPresent(true);
  await page.getByRole('button', { name: 'Use passkey' }).click();
  await returned();
});
