import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../support/accessibility.ts';
import { signInNewUser } from '../../support/sign-in-new-user.ts';
import {
  askForTerminal,
  createTerminalRole,
  showsInTerminal,
  startTerminalDevice,
  terminalAccount,
  type TerminalDevice,
} from '../../support/terminal-device.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { DEVICE_TIMEOUT_MS } from '../../support/timeouts.ts';

const TEST_LIMIT_MS = 240_000;
const look = { theme: 'light', density: 'comfortable', language: 'en' } as const;
const testBrowser = openTestBrowser();
const resources = new AsyncDisposableStack();
let folder: string;
let device: TerminalDevice;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deviceportal-consent-'));
  resources.defer(() => rm(folder, { recursive: true }));
  const program = join(folder, 'ask.sh');
  await writeFile(
    program,
    `#!/bin/sh\ncat > ${folder}/asked\nwhile [ ! -e ${folder}/answer ]; do sleep 0.1; done\nexit 0\n`,
  );
  await chmod(program, 0o755);
  device = await startTerminalDevice(resources, { DEVICEPORTAL_AGENT_TERMINAL_CONSENT: program });
}, TEST_LIMIT_MS);
afterAll(() => resources.disposeAsync());

describe.skipIf(terminalAccount === undefined)('consent to a terminal', () => {
  test(
    'is awaited, can be canceled, and opens the terminal',
    async () => {
      const role = await createTerminalRole(device.admin, ['terminal:open']);
      const page = await signInNewUser(testBrowser, device.admin, { role, look });
      await page.goto(`/devices/${device.deviceId}`);
      await askForTerminal(page);
      const waiting = page.getByText('Waiting for a person at the device');
      await waiting.waitFor({ timeout: DEVICE_TIMEOUT_MS });
      expect(await findViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Cancel request' }).click();
      await page.getByText('You ended the terminal.').first().waitFor();

      await askForTerminal(page);
      await waiting.waitFor({ timeout: DEVICE_TIMEOUT_MS });
      const asked = JSON.parse(await readFile(join(folder, 'asked'), 'utf8')) as object;
      expect(asked).toMatchObject({ reason: 'Check the disk' });
      await writeFile(join(folder, 'answer'), '');
      await page.getByText(/^Connected as /).waitFor({ timeout: DEVICE_TIMEOUT_MS });
      await page.keyboard.type('echo sum-$((40+2))\n');
      await showsInTerminal(page, 'sum-42');
      await page.keyboard.type('exit\n');
      await page
        .getByText(/^The shell ended/)
        .first()
        .waitFor();
    },
    TEST_LIMIT_MS,
  );

  test(
    'is set for a model, of which terminals can be forbidden',
    async () => {
      const { model } = await device.admin.ask<{ model: string | null }>('devices.get', {
        device: device.deviceId,
      });
      const role = await createTerminalRole(device.admin, [
        ...(['terminal:open', 'terminal:consent', 'versions:read'] as const),
      ]);
      const page = await signInNewUser(testBrowser, device.admin, { role, look });
      await page.goto('/tavs?area=models');
      const select = page.getByRole('button', { name: `Consent for ${model}` });
      await select.waitFor();
      expect(await findViolations(page)).toEqual([]);
      const choose = async (option: string): Promise<void> => {
        await select.click();
        await page.getByRole('option', { name: option }).click();
        await page
          .getByRole('button', { name: new RegExp(`${option}`) })
          .first()
          .waitFor();
      };
      await choose('Terminal forbidden');
      await page.goto(`/devices/${device.deviceId}`);
      await page.getByRole('button', { name: 'Open terminal' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Terminals are not allowed on devices of this model.').waitFor();
      await page.goto('/tavs?area=models');
      await choose('Not needed');
    },
    TEST_LIMIT_MS,
  );
});
