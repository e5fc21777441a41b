import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { answerSignIn } from '../../support/sign-in.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { bodyRows, pressOutsideFields } from '../../support/words.ts';

const testBrowser = openTestBrowser();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await readFleet(await PortalClient.signIn('admin'));
});

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name });

describe('keyboard shortcuts', () => {
  test('`?` lists the shortcuts, and Escape closes the list', async () => {
    const page = await testBrowser.open('operator', '/');
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.waitFor();
    await list.getByText('Go to Devices').waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
  });

  test('`g d` opens the devices and focuses the heading', async () => {
    const page = await testBrowser.open('operator', '/');
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await heading(page, /^Devices/).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    expect(await page.title()).toContain('Devices');
  });

  test('`/` finds a device by its serial number, and Enter opens it', async () => {
    const page = await testBrowser.open('operator', '/');
    const device = fleet.takeOnline();
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).fill(device.serialNumber);
    await page.getByRole('option', { name: device.serialNumber }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/devices/${device.id}`);
    await heading(page, device.serialNumber).waitFor();
  });

  test('the first Tab reaches the link that skips the navigation', async () => {
    const page = await testBrowser.open('operator', '/');
    await page.locator('body').focus();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to main content' });
    expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.id === 'main-content');
  });
});

describe('appearance', () => {
  test('theme, density, and language change without a reload, also in other tabs, and are kept after one', async () => {
    const page = await testBrowser.open('support', '/');
    const other = await testBrowser.openTab(page, '/documents');
    await heading(other, /^Documents/).waitFor();
    await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
    const choose = async (settings: string, item: string): Promise<void> => {
      await page.getByRole('button', { name: settings, exact: true }).click();
      await page.getByRole('menuitemcheckbox', { name: item }).click();
    };
    const saved = (): Promise<unknown> =>
      page.waitForResponse((reply) => reply.url().includes('session.savePreferences'));
    await choose('Settings', 'Dark theme');
    await page.locator('body.awsui-dark-mode').waitFor();
    await choose('Settings', 'Compact density');
    await page.locator('body.awsui-compact-mode').waitFor();
    const stored = saved();
    await choose('Settings', '简体中文');
    for (const each of [page, other]) {
      await each.getByRole('link', { name: '设备', exact: true }).waitFor();
      await each.locator('body.awsui-dark-mode.awsui-compact-mode').waitFor();
    }
    await other.close();
    expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
    await stored;
    await page.reload();
    await page.getByRole('link', { name: '设备', exact: true }).waitFor();
    expect(await page.locator('body').getAttribute('class')).toMatch(/awsui-dark-mode/);
    expect(await page.locator('body').getAttribute('class')).toMatch(/awsui-compact-mode/);
    const reset = saved();
    await choose('设置', 'English');
    await page.getByRole('link', { name: 'Devices', exact: true }).waitFor();
    await choose('Settings', 'Light theme');
    await choose('Settings', 'Comfortable density');
    await reset;
  });
});

describe('errors', () => {
  test('an unknown address is reported with a link to the home page', async () => {
    const page = await testBrowser.open('operator', '/nowhere');
    await heading(page, 'Page not found').waitFor();
    await page.getByText('No page exists at /nowhere.').waitFor();
    await page.evaluate(() => history.pushState({}, '', '/elsewhere'));
    await page.getByText('No page exists at /elsewhere.').waitFor();
    await page.getByRole('button', { name: 'Go home' }).click();
    await heading(page, 'Home').waitFor();
  });

  test('an expired session asks for a sign-in over the page, which keeps its state (2001)', async () => {
    const page = await testBrowser.open('operator', `/commands/shell?device=${fleet.real.id}`);
    testBrowser.expectErrors(page, /401|session/i);
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    const script = page.locator('main textarea').first();
    await script.fill('echo kept');
    let refused = true;
    await page.route('**/api/trpc/**', (route) =>
      refused
        ? route.fulfill({
            status: 401,
            contentType: 'application/json',
            body: invalidSession(route.request().url()),
          })
        : route.continue(),
    );
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: 'Your session ended' });
    await dialog.waitFor();
    refused = false;
    await answerSignIn(page, 'operator');
    await dialog.waitFor({ state: 'hidden' });
    expect(await script.inputValue()).toBe('echo kept');
  });

  test('without a connection the page stays, reports it, and continues automatically (2002)', async () => {
    const page = await testBrowser.open('operator', '/devices');
    testBrowser.expectErrors(page, /ERR_INTERNET_DISCONNECTED|query |mutation |WebSocket/);
    await page.getByRole('row').nth(3).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('r');
    await page.getByText('Can’t reach the portal').first().waitFor();
    expect(await page.getByRole('row').count()).toBeGreaterThan(3);
    // A list without data yet does not report it again.
    await page.evaluate(() => history.pushState({}, '', '/devices?q=country%3DNZ'));
    await page.getByText('Not loaded yet').first().waitFor();
    expect(await page.getByText('Can’t reach the portal').count()).toBe(1);
    await page.context().setOffline(false);
    await page.getByText('Can’t reach the portal').first().waitFor({ state: 'hidden' });
  });

  test('a page whose texts fail to load reports it in both languages and continues automatically', async () => {
    const page = await testBrowser.open('operator', '/');
    testBrowser.expectErrors(page, /ERR_FAILED|dynamically imported module/);
    let areGone = true;
    await page.route('**/assets/portal-messages-*.js', (route) =>
      areGone ? route.abort() : route.continue(),
    );
    await page.reload();
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: 'Reconnecting automatically' }).waitFor();
    await alert.filter({ hasText: '正在自动重试' }).waitFor();
    areGone = false;
    await heading(page, 'Home').waitFor();
  });
});

/** One response per call of the batch. */
function invalidSession(url: string): string {
  const calls = new URL(url).pathname.split('/').at(-1)?.split(',') ?? [];
  const answer = {
    error: {
      json: {
        message: 'invalid session',
        code: -32_001,
        data: {
          code: 'UNAUTHORIZED',
          httpStatus: 401,
          portal: { code: 2001, name: 'invalidSession', issues: [], facts: {} },
        },
      },
    },
  };
  return JSON.stringify(new URL(url).searchParams.has('batch') ? calls.map(() => answer) : answer);
}

const hasShadow = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.querySelector('main [data-dp-more]') !== null);

describe('a table that is wider than its place', () => {
  test('shows a shadow at its edge until its end is reached by the keyboard', async () => {
    const page = await testBrowser.open('admin', '/devices', {
      viewport: { width: 390, height: 844 },
    });
    await bodyRows(page).first().waitFor();
    await page.waitForFunction(() => document.querySelector('main [data-dp-more]') !== null);
    const region = page.getByRole('main').getByRole('region', { name: 'Devices' });
    await region.focus();
    await page.keyboard.press('ArrowRight');
    expect(await region.evaluate((part) => part === document.activeElement)).toBe(true);
    await region.evaluate((part) => part.scrollTo({ left: part.scrollWidth }));
    await expect.poll(() => hasShadow(page)).toBe(false);
    await region.evaluate((part) => part.scrollTo({ left: 0 }));
    await expect.poll(() => hasShadow(page)).toBe(true);
  });

  test('a table that fits shows none', async () => {
    const page = await testBrowser.open('admin', '/glossary', {
      viewport: { width: 1440, height: 900 },
    });
    await page.getByRole('main').getByRole('table').first().waitFor();
    expect(await hasShadow(page)).toBe(false);
  });
});

describe('a toast', () => {
  test('confirms a copied link, moves nothing, and disappears', async () => {
    const page = await testBrowser.open('admin', '/devices', { ownSession: true });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await bodyRows(page).first().waitFor();
    const top = () => page.locator('main h1').first().boundingBox();
    const before = await top();
    await pressOutsideFields(page, 'y');
    const toast = page.getByRole('status').filter({ hasText: 'Link copied' });
    await toast.waitFor();
    expect(await top()).toEqual(before);
    await toast.waitFor({ state: 'detached' });
  });
});
