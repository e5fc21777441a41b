import type { Page } from 'playwright-core';
import { everywhere, type Permission } from '@deviceportal/contract/permissions';
import { PortalClient } from './portal-client.ts';
import { startRealAgent, type RealAgent } from './real-agent.ts';
import { terminalAccountName } from './terminal-account.ts';
import { DEVICE_TIMEOUT_MS } from './timeouts.ts';

/** Undefined if a real agent cannot open terminals here. */
export const terminalAccount = terminalAccountName();

export interface TerminalDevice {
  readonly admin: PortalClient;
  readonly agent: RealAgent;
  readonly deviceId: string;
}

/** A connected device whose real agent opens terminals. */
export async function startTerminalDevice(
  resources: AsyncDisposableStack,
  env: Readonly<Record<string, string>> = {},
): Promise<TerminalDevice> {
  const admin = await PortalClient.signIn('admin');
  const serialNumber = `TERM-${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
  const claim = await admin.order<{ token: string }>('devices.createClaim', { uses: 1 });
  const agent = resources.use(
    await startRealAgent(claim.token, serialNumber, {
      ...env,
      ...(terminalAccount && { DEVICEPORTAL_AGENT_TERMINAL: terminalAccount }),
    }),
  );
  const endsAtMs = Date.now() + DEVICE_TIMEOUT_MS;
  while (Date.now() < endsAtMs) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const found = await admin
      .ask<{ id: string; connectivity: string }>('devices.get', { device: serialNumber })
      .catch(() => undefined);
    if (found?.connectivity === 'online' || found?.connectivity === 'degraded')
      return { admin, agent, deviceId: found.id };
  }
  throw new Error('the agent did not connect');
}

/** A role with a name of its own, for all devices. Returns the name. */
export async function createTerminalRole(
  admin: PortalClient,
  permissions: readonly Permission[],
): Promise<string> {
  const name = `Terminal ${crypto.randomUUID().slice(0, 8)}`;
  await admin.order('access.roles.create', {
    ...{ name, scope: everywhere },
    permissions: ['devices:read', ...permissions],
  });
  return name;
}

/** Leaves users with the role only the right to see devices. */
export async function revokeTerminalRole(admin: PortalClient, role: string): Promise<void> {
  const roles = await admin.ask<{ id: string; name: string; updatedAt: string; scope: object }[]>(
    'access.roles.list',
    undefined,
  );
  const own = roles.find(({ name }) => name === role);
  if (own === undefined) throw new Error('no role');
  const { id, name, updatedAt: basedOn, scope } = own;
  await admin.order('access.roles.edit', {
    ...{ id, name, basedOn, scope },
    permissions: ['devices:read'],
  });
}

const texts = {
  en: { open: 'Open terminal', reason: 'Reason', connected: /^Connected as / },
  'zh-CN': { open: '打开终端', reason: '原因', connected: /^已连接，账号：/ },
} as const;
export type TerminalLanguage = keyof typeof texts;

/** Asks for a terminal on the page of the device, which the page must show. */
export async function askForTerminal(page: Page, language: TerminalLanguage = 'en'): Promise<void> {
  const { open, reason } = texts[language];
  await page.getByRole('button', { name: open }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: reason }).fill('Check the disk');
  await dialog.getByRole('button', { name: open }).click();
}

/** Opens a terminal from the page of the device. */
export async function openTerminalOn(
  page: Page,
  deviceId: string,
  language: TerminalLanguage = 'en',
): Promise<void> {
  await page.goto(`/devices/${deviceId}`);
  await askForTerminal(page, language);
  await page.getByText(texts[language].connected).waitFor({ timeout: DEVICE_TIMEOUT_MS });
}

export const terminalScreen = (page: Page) => page.locator('.dp-terminal .xterm-rows');

export const showsInTerminal = (page: Page, text: string | RegExp, timeout = DEVICE_TIMEOUT_MS) =>
  terminalScreen(page).getByText(text).first().waitFor({ timeout });
