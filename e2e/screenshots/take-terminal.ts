import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { everywhere } from '@deviceportal/contract/permissions';
import { terminalPermissions } from '@deviceportal/contract/terminals';
import { signInToPortal, type PortalClient } from '../../bench/support/portal-client.ts';
import { terminalAccountName } from '../support/terminal-account.ts';
import { keepScreenshots } from './keep-screenshots.ts';
import { openScreens, type Screens } from './open-screens.ts';

const ADMINISTRATOR = 'admin@deviceportal.local';
/** Administrators cannot grant permissions to themselves. */
const USER = 'operator@deviceportal.local';
const SERIAL_NUMBER = 'KIOSK-0451';
const CONNECTED_MS = 60_000;

/** An open terminal of a real agent, which the other page watches. */
export async function takeTerminal({ english }: Screens): Promise<void> {
  const url = new URL(english.url()).origin;
  const admin = await signInToPortal(url, ADMINISTRATOR);
  await allowTerminals(admin);
  const browser = english.context().browser();
  if (browser === null) throw new Error('no browser');
  const screens = await openScreens(browser, url, USER);
  await using agent = await startAgent(admin, url);
  await keepScreenshots(screens, 'terminal', async (page) => {
    const other = page === screens.english ? screens.chinese : screens.english;
    await endTerminal(other);
    await page.goto(`/devices/${agent.deviceId}`);
    await page.getByRole('button', { name: /^(?:Open terminal|打开终端)$/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('Check the disk');
    await dialog.getByRole('button', { name: /^(?:Open terminal|打开终端)$/ }).click();
    await confirmIdentity(page, url);
    await page.getByText(/^(?:Connected as |已连接)/).waitFor();
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

/** Gives the operator a role for terminals. */
async function allowTerminals(admin: PortalClient): Promise<void> {
  const role = (await admin.mutate('access.roles.create', {
    ...{ name: 'Terminals', scope: everywhere, permissions: [...terminalPermissions] },
  })) as { id: string };
  const users = (await admin.query('access.users.list', {})) as {
    rows: { id: string; username: string }[];
  };
  const own = users.rows.find(({ username }) => username === USER);
  if (own === undefined) throw new Error('no operator');
  await admin.mutate('access.users.changeRoles', {
    id: own.id,
    add: [role.id],
  });
}

/** A fresh second step of the page's session, if the portal asks for one. */
async function confirmIdentity(page: Page, url: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^(?:Confirm your identity|身份确认)$/ });
  const opened = page.getByText(/^(?:Connected as |已连接)/);
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

async function startAgent(
  admin: PortalClient,
  url: string,
): Promise<AsyncDisposable & { readonly deviceId: string }> {
  await using resources = new AsyncDisposableStack();
  const stateDir = await mkdtemp(join(tmpdir(), 'deviceportal-agent-'));
  resources.defer(() => rm(stateDir, { recursive: true, force: true }));
  const claim = (await admin.mutate('devices.createClaim', { uses: 1 })) as { token: string };
  const account = terminalAccountName();
  const agent = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../../apps/agent/src/main.ts'),
      ...['run', '--server', url, '--state-dir', stateDir, '--serial', SERIAL_NUMBER],
    ],
    {
      env: {
        ...process.env,
        DEVICEPORTAL_AGENT_CLAIM: claim.token,
        ...(account && { DEVICEPORTAL_AGENT_TERMINAL: account }),
      },
      stdio: 'ignore',
    },
  );
  resources.defer(() => void agent.kill());
  for (const endsAtMs = Date.now() + CONNECTED_MS; Date.now() < endsAtMs;) {
    await setTimeout(500);
    const found = (await admin
      .query('devices.get', { device: SERIAL_NUMBER })
      .catch(() => undefined)) as { id: string; connectivity: string } | undefined;
    if (found === undefined || !['online', 'degraded'].includes(found.connectivity)) continue;
    const kept = resources.move();
    return { deviceId: found.id, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  }
  throw new Error('the agent did not connect');
}
