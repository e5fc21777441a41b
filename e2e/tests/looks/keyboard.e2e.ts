import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';

const testBrowser = openTestBrowser();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await readFleet(await PortalClient.signIn('admin'));
});

const MOST_STOPS = 40;

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`not reached with ${MOST_STOPS} presses of Tab`);
}

/** The main task of support: from a serial number to the result of a command. */
async function findAndRun(page: Page, words: { menu: string; run: string; output: string }) {
  const device = fleet.takeOnline();
  // Typing must work before the search has loaded.
  await page.keyboard.press('/');
  await page.keyboard.type(device.serialNumber);
  await page.getByRole('option', { name: device.serialNumber }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: device.serialNumber }).waitFor();
  await tabTo(page, page.getByRole('button', { name: words.menu, exact: true }));
  await page.keyboard.press('Enter');
  const item = page.getByRole('menuitem', { name: /^storage\/usage/ });
  await item.waitFor();
  for (let presses = 0; presses < MOST_STOPS; presses += 1) {
    const isThere = await item.evaluate(
      (element) =>
        element.contains(document.activeElement) ||
        element.closest('[class*="highlighted"]') !== null,
    );
    if (isThere) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL('**/commands/storage/usage?**');
  await page.getByRole('button', { name: words.run, exact: true }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: words.output }).waitFor();
  return device;
}

describe('without a mouse', () => {
  test('from a serial number to the result of storage/usage', async () => {
    const page = await testBrowser.open('operator', '/');
    const words = { menu: 'Run command', run: 'Run', output: 'Standard output' };
    await findAndRun(page, words);
    await page.getByText('Succeeded').first().waitFor();
  });

  test('the same steps in Chinese', async () => {
    const appearance = { theme: 'light', density: 'comfortable', language: 'zh-CN' } as const;
    const page = await testBrowser.open('operator', '/', { appearance, locale: 'zh-CN' });
    await findAndRun(page, { menu: '执行命令', run: '执行', output: '标准输出' });
    await page.getByText('成功').first().waitFor();
  });

  test('the same steps in Chinese show no English or missing text', async () => {
    const appearance = { theme: 'light', density: 'comfortable', language: 'zh-CN' } as const;
    const page = await testBrowser.open('auditor', '/devices', { appearance, locale: 'zh-CN' });
    await page.getByRole('heading', { level: 1, name: /^设备/ }).waitFor();
    const text = (await page.locator('body').textContent()) ?? '';
    expect(text).not.toMatch(/\b(devices|shell|commands)\.[a-z]+\.[a-z]/i);
    expect(text).not.toMatch(/Serial number|Last seen|Run command|Navigation/);
  });
});
