import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../support/accessibility.ts';
import { launchBrowser } from '../../support/browser.ts';
import { allLooks, putOn } from '../../support/looks.ts';
import { addressOf, askForCode, codeField, readCode } from '../../support/sign-in.ts';
import { spawnPortal, type SpawnedPortal } from '../../support/spawn-portal.ts';
import { heading } from '../../support/words.ts';
import { PAGE_TIMEOUT_MS } from '../../support/timeouts.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function signedIn(portal: SpawnedPortal): Promise<Page> {
  const context = await browser.newContext({
    baseURL: portal.url,
    locale: 'en',
    bypassCSP: true,
    viewport: { width: 1440, height: 2400 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  await page.goto('/signin');
  const askedAt = await askForCode(page, addressOf('viewer'));
  await codeField(page).fill(await readCode(addressOf('viewer'), askedAt, portal.url));
  await heading(page, 'Home').waitFor();
  return page;
}

describe('the embedded user pool', () => {
  let portal: SpawnedPortal;
  beforeAll(async () => {
    portal = await spawnPortal(['--fleet', '0', '--no-agent'], {
      DEVICEPORTAL_SIGN_IN_LIMITS: 'off',
    });
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('[e2e-profile-1] shows the account and active sessions, and ends all other sessions', async () => {
    const other = await signedIn(portal);
    const page = await signedIn(portal);
    await page.getByRole('button', { name: /Viewer/ }).click();
    await page.getByRole('menuitem', { name: 'My profile' }).click();
    await heading(page, 'My profile').waitFor();
    await page.locator('main').getByText(addressOf('viewer')).first().waitFor();
    const ends = page.getByRole('button', { name: 'Sign out of this session' });
    await expect.poll(() => ends.count()).toBe(1);
    // No settings of an external account.
    expect(await page.getByRole('button', { name: 'Change password' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out of all other sessions' }).click();
    await page.getByText('All other sessions were signed out.').waitFor();
    await expect.poll(() => ends.count()).toBe(0);
    await other.goto('/devices');
    await other
      .getByText('Your session ended')
      .or(other.getByLabel('Username, email'))
      .first()
      .waitFor();
    for (const look of allLooks) {
      await putOn(page, look);
      expect(await findViolations(page)).toEqual([]);
    }
    await Promise.all([page.context().close(), other.context().close()]);
  });
});
