import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInNewUser } from '../../support/sign-in-new-user.ts';
import {
  createTerminalRole,
  openTerminalOn,
  revokeTerminalRole,
  showsInTerminal,
  startTerminalDevice,
  terminalAccount,
  terminalScreen,
  type TerminalDevice,
} from '../../support/terminal-device.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { DEVICE_TIMEOUT_MS } from '../../support/timeouts.ts';

const TEST_LIMIT_MS = 240_000;
/** A device sends at most 512 KiB per second. */
const LONG_OUTPUT_MS = 900_000;
const look = { theme: 'light', density: 'comfortable', language: 'en' } as const;
const testBrowser = openTestBrowser();
const resources = new AsyncDisposableStack();
let device: TerminalDevice;
let role: string;

beforeAll(async () => {
  device = await startTerminalDevice(resources);
  role = await createTerminalRole(device.admin, ['terminal:open']);
}, TEST_LIMIT_MS);
afterAll(() => resources.disposeAsync());

const signIn = (): Promise<Page> => signInNewUser(testBrowser, device.admin, { role, look });

async function finish(page: Page): Promise<void> {
  await page.keyboard.type('exit\n');
  await page
    .getByText(/^The shell ended/)
    .first()
    .waitFor();
}

describe.skipIf(terminalAccount === undefined)('a terminal in a browser', () => {
  test(
    'edits a file with vim, and follows the size of the window',
    async () => {
      const page = await signIn();
      await openTerminalOn(page, device.deviceId);
      await page.keyboard.type('cd "$(mktemp -d)"; vim -u NONE -n note.txt\n');
      // "[New]", or "[New File]", by the settings of vim.
      await showsInTerminal(page, /"note\.txt" \[New/);
      await page.keyboard.type('itext of vim');
      await page.keyboard.press('Escape');
      await page.waitForTimeout(500);
      await page.keyboard.type(':wq\n');
      await page.keyboard.type('clear; cat note.txt | rev\n');
      await showsInTerminal(page, 'miv fo txet');

      const columns = async (): Promise<number> => {
        const marker = crypto.randomUUID().slice(0, 4);
        await page.keyboard.type(`echo ${marker}-$(tput cols)-\n`);
        const shown = new RegExp(`^${marker}-(\\d+)-`, 'm');
        await showsInTerminal(page, shown);
        return Number(shown.exec(await terminalScreen(page).innerText())?.[1]);
      };
      const { width, height } = page.viewportSize() ?? { width: 1_440, height: 900 };
      const wide = await columns();
      await page.setViewportSize({ width: width - 400, height });
      await page.waitForTimeout(1_500);
      expect(await columns()).toBeLessThan(wide);
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(1_500);
      expect(await columns()).toBe(wide);
      await finish(page);
    },
    TEST_LIMIT_MS,
  );

  test(
    'continues after a lost connection, without lost output',
    async () => {
      const page = await signIn();
      const sockets: { close: () => Promise<void> }[] = [];
      await page.routeWebSocket(/\/terminal$/, (socket) => {
        const server = socket.connectToServer();
        sockets.push({
          close: async () => {
            await server.close({ code: 3_000 });
            await socket.close({ code: 3_000 });
          },
        });
      });
      await openTerminalOn(page, device.deviceId);
      await page.keyboard.type('X=kept; for i in 1 2 3 4 5 6; do echo step-$i; sleep 1; done\n');
      await showsInTerminal(page, 'step-2');
      await sockets[0]?.close();
      await page.getByText('Connection lost. Reconnecting').waitFor();
      await showsInTerminal(page, 'step-6');
      await page.keyboard.type('echo $X-shell\n');
      await showsInTerminal(page, 'kept-shell');
      const text = await terminalScreen(page).innerText();
      for (let step = 1; step <= 6; step += 1)
        expect(text.split(`\nstep-${step}\n`)).toHaveLength(2);
      expect(sockets).toHaveLength(2);
      await finish(page);
    },
    TEST_LIMIT_MS,
  );

  test(
    'ends within seconds when the permission is revoked',
    async () => {
      const page = await signIn();
      await openTerminalOn(page, device.deviceId);
      // A refresh of the list can meet the end of the permission before the page does.
      testBrowser.expectErrors(page, /query terminals\.list: no permission/);
      const { admin } = device;
      await revokeTerminalRole(admin, role);
      await page
        .getByText('The permission or the sign-in ended.')
        .first()
        .waitFor({ timeout: 10_000 });
      role = await createTerminalRole(admin, ['terminal:open']);
    },
    TEST_LIMIT_MS,
  );

  test(
    'shows 100 MB of output, and what is typed after it',
    async () => {
      const page = await signIn();
      await openTerminalOn(page, device.deviceId);
      await page.keyboard.type(
        'head -c 100000000 /dev/zero | tr "\\0" x | fold -w 99; echo; echo the-$((1))-end\n',
      );
      await showsInTerminal(page, 'the-1-end', LONG_OUTPUT_MS);
      await page.keyboard.type('echo sum-$((40+2))\n');
      await showsInTerminal(page, 'sum-42');
      await finish(page);
    },
    LONG_OUTPUT_MS,
  );

  test(
    'ends when the agent is killed',
    async () => {
      const page = await signIn();
      await openTerminalOn(page, device.deviceId);
      device.agent.kill();
      await page.getByText('The device is not responding').waitFor({ timeout: DEVICE_TIMEOUT_MS });
      await page
        .getByText('The connection of the device was lost.')
        .first()
        .waitFor({ timeout: DEVICE_TIMEOUT_MS });
    },
    TEST_LIMIT_MS,
  );
});
