import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../support/accessibility.ts';
import { countActs } from '../../support/count-acts.ts';
import { signInNewUser } from '../../support/sign-in-new-user.ts';
import {
  askForTerminal,
  createTerminalRole,
  openTerminalOn,
  showsInTerminal,
  startTerminalDevice,
  terminalAccount,
  terminalScreen,
  type TerminalDevice,
} from '../../support/terminal-device.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { DEVICE_TIMEOUT_MS } from '../../support/timeouts.ts';

const TEST_LIMIT_MS = 240_000;
const testBrowser = openTestBrowser();
const resources = new AsyncDisposableStack();
let device: TerminalDevice;
let role: string;

beforeAll(async () => {
  device = await startTerminalDevice(resources);
  role = await createTerminalRole(device.admin, [
    'terminal:open',
    'terminal:end',
    'terminal:replay',
  ]);
}, TEST_LIMIT_MS);
afterAll(() => resources.disposeAsync());

describe.skipIf(terminalAccount === undefined)('a terminal', () => {
  test(
    'opens with two clicks, runs commands, is left by a key, and is replayed',
    async () => {
      const look = { theme: 'light', density: 'comfortable', language: 'en' } as const;
      const page = await signInNewUser(testBrowser, device.admin, { role, look });
      await page.goto(`/devices/${device.deviceId}`);
      await page.getByRole('button', { name: 'Open terminal' }).waitFor();
      const acts = await countActs(page);
      await askForTerminal(page);
      expect(acts.clicks).toBeLessThanOrEqual(2);
      await page.getByText(/^Connected as /).waitFor({ timeout: DEVICE_TIMEOUT_MS });
      await page.keyboard.type('echo sum-$((40+2))\n');
      await showsInTerminal(page, 'sum-42');
      expect(await findViolations(page)).toEqual([]);

      await page.keyboard.type('top\n');
      await showsInTerminal(page, 'PID');
      await page.keyboard.type('q');
      await page.keyboard.type('stty size\n');
      await terminalScreen(page)
        .getByText(/^\d+ \d+\s*$/)
        .first()
        .waitFor();

      await page.keyboard.press('Control+Shift+Escape');
      await page.getByRole('button', { name: 'End terminal' }).first().waitFor();
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('End terminal');
      await page.keyboard.press('Enter');
      await page.getByText('You ended the terminal.').first().waitFor();

      await page.getByRole('button', { name: 'Play recording' }).first().click();
      await page.locator('.dp-recording .xterm-rows').getByText('sum-42').first().waitFor();
      expect(await findViolations(page)).toEqual([]);

      await page.getByRole('searchbox', { name: 'Find in the recording' }).fill('SUM-42');
      await page.keyboard.press('Enter');
      await page.getByText(/^1 of 1 sum-42$/).waitFor();
      await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Next match' }).click();
      await page.getByText(/^1 of 1 sum-42$/).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Close' }).first().click();

      await page.getByRole('searchbox', { name: 'Text in recordings' }).fill('sum-42');
      await page.keyboard.press('Enter');
      await page.getByText(/^1 of \d+ recordings contain “sum-42”$/).waitFor();
      await page.getByRole('button', { name: 'Play recording' }).click();
      await page.getByText(/^1 of 1 sum-42$/).waitFor();
    },
    TEST_LIMIT_MS,
  );

  test(
    'is understood in Chinese and in the dark theme',
    async () => {
      const look = { theme: 'dark', density: 'compact', language: 'zh-CN' } as const;
      const page = await signInNewUser(testBrowser, device.admin, { role, look });
      await openTerminalOn(page, device.deviceId, 'zh-CN');
      await page.keyboard.type('exit\n');
      await page
        .getByText(/^Shell 已结束，退出码：/)
        .first()
        .waitFor();
      expect(await findViolations(page)).toEqual([]);
    },
    TEST_LIMIT_MS,
  );

  test('is not offered without the permission, not even to administrators', async () => {
    const page = await testBrowser.open('admin', `/devices/${device.deviceId}`);
    await page.getByRole('button', { name: 'Manage' }).waitFor();
    expect(await page.getByRole('button', { name: 'Open terminal' }).count()).toBe(0);
  });
});
