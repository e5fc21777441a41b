import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTestBrowser } from '../../support/test-browser.ts';

const testBrowser = openTestBrowser();
const PORTAL = join(import.meta.dirname, '../../../apps/portal/dist');
const FIELD = 'input[autocomplete^="username"]';
const FIRST_ROW = 'main table tbody tr a[href^="/devices/"]';

test('sign-in can be used after 92 kB of JavaScript', async () => {
  const page = await testBrowser.openSignedOut('about:blank');
  await markUsable(page, FIELD);
  await page.goto('/signin');
  // Loaded after the field.
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  await expectLoaded(page, 92_000);
});

test('the device list has its rows after 300 kB of JavaScript', async () => {
  const page = await testBrowser.open('admin', '/devices', {
    ownSession: true,
    before: (opened) => markUsable(opened, FIRST_ROW),
  });
  // Loaded after the rows.
  await page.getByPlaceholder('Search devices').waitFor();
  await expectLoaded(page, 300_000);
});

/** Remembers when an element appears, in milliseconds since the navigation. */
async function markUsable(page: Page, selector: string): Promise<void> {
  await page.addInitScript((wanted) => {
    const look = (): void => {
      if (document.querySelector(wanted) === null) requestAnimationFrame(look);
      else performance.mark('usable');
    };
    requestAnimationFrame(look);
  }, selector);
}

/** Counts every script that was requested before, whether the page has waited for it or not. */
async function expectLoaded(page: Page, limitBytes: number): Promise<void> {
  const files = await page.evaluate(() => {
    const usableAtMs = performance.getEntriesByName('usable')[0]?.startTime ?? Infinity;
    const paths = performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime <= usableAtMs)
      .map(({ name }) => new URL(name).pathname);
    return [...new Set(paths.filter((path) => path.endsWith('.js')))];
  });
  const sizes = files.map(
    (file) => [file, gzipSync(readFileSync(join(PORTAL, file))).length] as const,
  );
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  const list = sizes.map(([file, size]) => `${file} ${size}`).join(', ');
  expect(files.length).toBeGreaterThan(3);
  expect(bytes, `${bytes} bytes (gzip) of JavaScript: ${list}`).toBeLessThanOrEqual(limitBytes);
}
