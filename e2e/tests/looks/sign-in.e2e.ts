import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { addressOf, askForCode, codeField, readCode } from '../../support/sign-in.ts';
import { openTestBrowser } from '../../support/test-browser.ts';

const testBrowser = openTestBrowser();
const wrongOf = (code: string): string => (code === '111111' ? '222222' : '111111');

/**
 * The pool's first code with an earlier expiry, so that the test does not wait for three minutes.
 * The page also asks for a passkey.
 */
async function expireFirstCodeSoon(page: Page): Promise<void> {
  let isChanged = false;
  await page.route('**/identity', async (route) => {
    if (isChanged) return route.continue();
    const reply = await route.fetch();
    const body = (await reply.json()) as { ChallengeParameters?: Record<string, string> };
    if (body.ChallengeParameters?.['expiresAt'] === undefined)
      return route.fulfill({ response: reply });
    isChanged = true;
    body.ChallengeParameters['expiresAt'] = new Date(Date.now() + 1_500).toISOString();
    return route.fulfill({ response: reply, json: body });
  });
}

describe('signing in', () => {
  test('identifier, then code, then home page', async () => {
    const page = await testBrowser.openSignedOut('/');
    const askedAt = await askForCode(page, addressOf('viewer'));
    expect(new URL(page.url()).pathname).toBe('/signin');
    await codeField(page).fill(await readCode(addressOf('viewer'), askedAt));
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('a wrong code shows the remaining attempts, and the right one still works', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    testBrowser.expectErrors(page, /400/);
    const askedAt = await askForCode(page, addressOf('viewer'));
    const code = await readCode(addressOf('viewer'), askedAt);
    await codeField(page).fill(wrongOf(code));
    await page.getByText('That code isn’t right. 2 attempts left.').waitFor();
    await codeField(page).fill(code);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });

  test('an unknown account is reported at the field, which keeps its text', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    testBrowser.expectErrors(page, /400/);
    await page.getByLabel('Username, email, or phone number').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText('We can’t find an account for nobody@example.com.').waitFor();
    const field = page.getByLabel('Username, email, or phone number');
    expect(await field.inputValue()).toBe('nobody@example.com');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
  });

  test('a reload after requesting a code continues with the same code', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    const askedAt = await askForCode(page, addressOf('viewer'));
    await page.reload();
    await codeField(page).fill(await readCode(addressOf('viewer'), askedAt));
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });

  test('a link asks for a sign-in and then opens its target', async () => {
    const page = await testBrowser.openSignedOut('/devices?q=connectivity%3Donline');
    const askedAt = await askForCode(page, addressOf('viewer'));
    await codeField(page).fill(await readCode(addressOf('viewer'), askedAt));
    await page.getByRole('heading', { level: 1, name: /^Devices/ }).waitFor();
    const address = new URL(page.url());
    expect(address.pathname).toBe('/devices');
    expect(address.searchParams.get('q')).toBe('connectivity=online');
  });

  test('[e2e-sign-in-6] `next` never leads to another site', async () => {
    const page = await testBrowser.open('viewer', '/signin?next=https%3A%2F%2Fevil.example%2F');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(page.url().startsWith(new URL('/', page.url()).href)).toBe(true);
    expect(page.url()).not.toContain('evil');
  });

  test('a signed-in user skips the sign-in page', async () => {
    const page = await testBrowser.open('viewer', '/signin?next=%2Fdocuments');
    await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/documents');
  });

  test('an expired code is reported, a new one signs in, and the old one is invalid', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    testBrowser.expectErrors(page, /400/);
    await expireFirstCodeSoon(page);
    const askedAt = await askForCode(page, addressOf('viewer'));
    const old = await readCode(addressOf('viewer'), askedAt);
    await page.getByText('This code has expired.').waitFor();
    expect(await codeField(page).isDisabled()).toBe(true);
    const askedAgainAt = new Date();
    await page.getByRole('button', { name: 'Send a new code' }).click();
    await page.locator('input[autocomplete="one-time-code"]:enabled').waitFor();
    await codeField(page).fill(old);
    await page.getByText(/That code isn’t right/).waitFor();
    await codeField(page).fill(await readCode(addressOf('viewer'), askedAgainAt));
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });
});

describe('signing out', () => {
  test('[e2e-sign-out-1] leads to the sign-in page in every tab, also after a reload', async () => {
    const page = await testBrowser.open('viewer', '/devices', { ownSession: true });
    const second = await testBrowser.openTab(page, '/documents');
    // The list can be asking for its last runs at that moment.
    testBrowser.expectErrors(page, /query .*invalid session/);
    await second.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
    await page.getByRole('button', { name: /Vera|Viewer/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Username, email, or phone number').waitFor();
    await second.getByLabel('Username, email, or phone number').waitFor();
    await second.goto('/documents');
    await second.getByLabel('Username, email, or phone number').waitFor();
    expect(new URL(second.url()).pathname).toBe('/signin');
  });
});

describe('appearance of the sign-in page', () => {
  test('language and theme change immediately and are kept', async () => {
    const page = await testBrowser.openSignedOut('/signin');
    await page.getByLabel('Language').selectOption('简体中文');
    await page.getByRole('button', { name: '发送验证码' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await page.getByRole('button', { name: '深色主题' }).click();
    await page.locator('body.awsui-dark-mode').waitFor();
    await page.reload();
    await page.getByRole('button', { name: '发送验证码' }).waitFor();
    expect(await page.locator('body').getAttribute('class')).toContain('awsui-dark-mode');
  });

  test('a browser in Chinese gets a Chinese page', async () => {
    const page = await testBrowser.openSignedOut('/signin', { locale: 'zh-CN' });
    await page.getByLabel('用户名、邮箱或手机号').waitFor();
  });
});
