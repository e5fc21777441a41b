import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { terminalPermissions } from '@deviceportal/contract/terminals';
import { signInToPortal } from '../../bench/support/portal-client.ts';
import { terminalAccountName } from '../support/terminal-account.ts';
import { grantRole } from './grant-role.ts';
import { keepScreenshots } from './keep-screenshots.ts';
import { openScreens, type Screens } from './open-screens.ts';
import { startAgent } from './start-agent.ts';

const ADMINISTRATOR = 'admin@deviceportal.local';
/** Administrators cannot grant permissions to themselves. */
const USER = 'operator@deviceportal.local';
const SERIAL_NUMBER = 'KIOSK-0451';
/** The Chinese text begins like an activity of the device. */
const CONNECTED = /^(?:Connected as |已连接，账号)/;

/** An open terminal of a real agent, which the other page watches. */
export async function takeTerminal({ english }: Screens): Promise<void> {
  const url = new URL(english.url()).origin;
  const admin = await signInToPortal(url, ADMINISTRATOR);
  await grantRole(admin, USER, { name: 'Terminals', permissions: [...terminalPermissions] });
  const browser = english.context().browser();
  if (browser === null) throw new Error('no browser');
  const screens = await openScreens(browser, url, USER);
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
    await confirmIdentity(page, url);
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

/** A fresh second step of the page's session, if the portal asks for one. */
async function confirmIdentity(page: Page, url: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^(?:Confirm your identity|身份确认)$/ });
  const opened = page.getByText(CONNECTED);
  await dialog.or(opened).first().waitFor();
  if (!(await dialog.isVisible())) return;
  const askedAtMs = Date.now() - 1_000;
  await dialog.getByRole('button', { name: '@' }).click();
  const field = dialog.locator('input[autocomplete="one-time-code"]');
  await field.waitFor();
  for (;;) {
    const reply = await fetch(`${url}/outbox/messages?to=${encodeURIComponent(USER)}`);
    const [newest] = (await reply.json()) as { code: string; sentAt: string }[];
    if (newest && Date.parse(newest.sentAt) >= askedAtMs) return field.fill(newest.code);
    await setTimeout(100);
  }
}
