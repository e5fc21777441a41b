import { beforeAll, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { readFleet, type Fleet } from '../support/fleet.ts';
import { PortalClient } from '../support/portal-client.ts';
import { openTestBrowser } from '../support/test-browser.ts';

/** A laptop screen. What a user needs first is on it without scrolling. */
const viewport = { width: 1440, height: 900 };
const testBrowser = openTestBrowser();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await readFleet(await PortalClient.signIn('admin'));
});

const open = (path: string): Promise<Page> => testBrowser.open('admin', path, { viewport });

async function expectInFirstView(page: Page, locator: Locator): Promise<void> {
  await locator.waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  const box = await locator.boundingBox();
  expect(box === null ? null : box.y + box.height).toBeLessThanOrEqual(viewport.height);
}

test.each(['storage/usage', 'shell', 'logs/tail', 'software/install', 'network/diagnose'])(
  'the run button of %s',
  async (command) => {
    const page = await open(`/commands/${command}?device=${fleet.real.id}`);
    await expectInFirstView(page, page.getByRole('button', { name: 'Run', exact: true }));
  },
);

test('the live output of a run', async () => {
  const page = await open(`/commands/shell?device=${fleet.real.id}`);
  await page.locator('#parameter-script').fill('echo in view; sleep 2');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
  await expectInFirstView(page, page.getByRole('region', { name: 'Standard output' }));
});
