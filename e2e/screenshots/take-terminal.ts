import type { Page } from 'playwright-core';
import { terminalPermissions } from '@deviceportal/contract/terminals';
import { terminalAccountName } from '../support/terminal-account.ts';
import { confirmIdentity } from './confirm-identity.ts';
import { keepScreenshots } from './keep-screenshots.ts';
import type { Screens } from './open-screens.ts';
import { openUserScreens } from './open-user-screens.ts';
import { startAgent } from './start-agent.ts';

const USER = 'operator@deviceportal.local';
const SERIAL_NUMBER = 'KIOSK-0451';
/** The Chinese text begins like an activity of the device. */
const CONNECTED = /^(?:Connected as |已连接，账号)/;

/** An open terminal of a real agent, which the other page watches. */
export async function takeTerminal(taken: Screens): Promise<void> {
  const { url, admin, screens } = await openUserScreens(taken, USER, {
    name: 'Terminals',
    permissions: [...terminalPermissions],
  });
  const account = terminalAccountName();
  await using agent = await startAgent(admin, url, {
    ...{ serialNumber: SERIAL_NUMBER },
    env: account === undefined || account === null ? {} : { DEVICEPORTAL_AGENT_TERMINAL: account },
  });
  await keepScreenshots(screens, 'terminal', async (page) => {
    const other = page === screens.english ? screens.chinese : screens.english;
    await endTerminal(other);
    await page.goto(`/devices/${agent.deviceId}`);
    await page.getByRole('button', { name: /^(?:Open terminal|打开终端)$/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('Check the disk');
    await dialog.getByRole('button', { name: /^(?:Open terminal|打开终端)$/ }).click();
    await confirmIdentity(page, { url, user: USER, opened: page.getByText(CONNECTED) });
    await page.getByText(CONNECTED).waitFor();
    await page.keyboard.type('PS1="kiosk$ "; clear; uptime -p; df -h / | cat\n');
    await watch(other, agent.deviceId);
    await page.getByText(/^Watched by |正在旁观此终端。$/).waitFor();
    await page.locator('.dp-terminal').scrollIntoViewIfNeeded();
  });
}

/** Of the picture before, so that only one is open. */
async function endTerminal(page: Page): Promise<void> {
  const end = page.getByRole('button', { name: /^(?:End terminal|结束终端)$/ }).first();
  if (!(await end.isVisible())) return;
  await end.click();
  await page
    .getByText(/^(?:You ended the terminal|您已?结束了?)/)
    .first()
    .waitFor();
}

async function watch(page: Page, deviceId: string): Promise<void> {
  await page.goto(`/devices/${deviceId}?tab=terminals`);
  await page
    .getByRole('button', { name: /^(?:Watch|旁观)$/ })
    .first()
    .click();
}
