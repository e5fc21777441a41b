import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { OwnPortal } from '../../support/own-portal.ts';
import { addressOf, askForCode, codeField } from '../../support/sign-in.ts';
import { bodyRows, rowOf } from '../../support/words.ts';

let portal: OwnPortal;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  portal = await OwnPortal.start();
  browser = await launchBrowser();
  const baseURL = `http://localhost:${portal.port}`;
  context = await browser.newContext({ baseURL, locale: 'en', timezoneId: 'UTC' });
  page = await context.newPage();
  await page.goto('/signin?next=/devices');
  await askForCode(page, addressOf('admin'));
  const outbox = await fetch(`${baseURL}/outbox/messages?to=${addressOf('admin')}`);
  const [newest] = (await outbox.json()) as { code: string }[];
  await codeField(page).fill(newest?.code ?? '');
  await bodyRows(page).first().waitFor();
});
afterAll(async () => {
  await browser.close();
  await portal[Symbol.asyncDispose]();
});

/** Simulates a schedule that had another limit when it was shown. */
async function showAnotherLimit(route: Route): Promise<void> {
  const response = await route.fetch();
  const body = (await response.text())
    .replace(/"sha256":"[0-9a-f]{64}"/, `"sha256":"${'0'.repeat(64)}"`)
    .replace(/"maxDevices":"[0-9a-f]{64}"/, `"maxDevices":"${'0'.repeat(64)}"`);
  await route.fulfill({ response, body });
}

test('a schedule whose key was revoked shows that, and is signed again by a user who checked it', async () => {
  const name = `Nightly ${randomUUID().slice(0, 8)}`;
  await page.goto('/commands/storage/usage?all=1');
  await page.getByRole('button', { name: 'Run later or repeatedly' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('button', { name: 'Recurring', exact: true }).click();
  await page.getByText('Next runs').waitFor();
  await page.getByRole('button', { name: 'Create schedule', exact: true }).click();
  await page.getByRole('button', { name: 'View schedules' }).click();
  await rowOf(page, name).waitFor();
  const [signs = ''] = (await portal.admin('list-device-keys', 'runs')).split(' ');
  expect(await portal.admin('withdraw-device-key', 'runs', signs)).toContain('is withdrawn');
  await portal.kill('SIGTERM');
  await portal.start();
  await page.reload();
  const row = rowOf(page, name);
  await row.getByText('Not signed').waitFor();
  await page.route('**/schedules.toSign*', showAnotherLimit, { times: 1 });
  await row.getByRole('button', { name: `Sign and resume ${name}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('storage/usage').first().waitFor();
  await dialog.getByText(/^[0-9a-f]{64}$/).waitFor();
  await dialog.getByText('Devices now').waitFor();
  const signButton = dialog.getByRole('button', { name: 'Sign and resume' });
  await signButton.click();
  await dialog.getByText('Nothing was signed').waitFor();
  const changed = dialog.getByRole('listitem').filter({ hasText: 'Maximum number of devices' });
  await changed.waitFor();
  expect(await dialog.getByRole('listitem').count()).toBe(1);
  await row.getByText('Not signed').waitFor();
  await signButton.click();
  await row.getByText('Not signed').waitFor({ state: 'detached' });
  await row.getByRole('button', { name: `Pause ${name}` }).waitFor();
});
