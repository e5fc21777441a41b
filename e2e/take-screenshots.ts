/** The pictures of the README, taken from the running product. `npm run screenshots`, with the portal built. */

import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { freePort, startPortalProcess } from '../bench/support/portal-process.ts';
import { launchBrowser } from './support/browser.ts';

const USER = 'admin@deviceportal.local';
const MOST_BYTES = 300_000;
const images = join(import.meta.dirname, '../docs/images');

const dataDir = await mkdtemp(join(tmpdir(), 'deviceportal-screenshots-'));
try {
  const ports = { port: await freePort(), mqttPort: await freePort() };
  await using portal = await startPortalProcess({ dataDir, ...ports, args: ['--fleet', '200'] });
  await takeScreenshots(portal.url);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

async function takeScreenshots(url: string): Promise<void> {
  const browser = await launchBrowser();
  const page = await browser.newPage({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    locale: 'en',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await page.goto('/signin?next=/devices');
  await page.locator('input[autocomplete="username"]').fill(USER);
  await page.keyboard.press('Enter');
  const code = page.locator('input[autocomplete="one-time-code"]');
  await code.waitFor();
  const reply = await fetch(`${url}/outbox/messages?to=${encodeURIComponent(USER)}`);
  const [newest] = (await reply.json()) as { code: string }[];
  await code.fill(newest?.code ?? '');
  const degraded = page.locator('main table tbody tr').filter({ hasText: 'Degraded' }).first();
  await degraded.waitFor();
  const href = await degraded.locator('a[href^="/devices/"]').first().getAttribute('href');
  await page.goto(`/devices?sel=${href?.split('/').at(-1) ?? ''}`);
  await page.getByRole('link', { name: 'Open device' }).waitFor();
  await page.waitForLoadState('networkidle');
  await mkdir(images, { recursive: true });
  await keep(page, 'devices.png');
  await takeAirBlast(page);
  await browser.close();
}

/** A run in its blast, for the guide on changing many devices. */
async function takeAirBlast(page: Page): Promise<void> {
  const press = (name: string): Promise<void> =>
    page
      .locator('main button:not([aria-disabled="true"])')
      .filter({ hasText: name })
      .first()
      .click();
  await page.goto('/air-blast?plan=1&document=DevicePortal-storage-clean&q=model%3DL24');
  await page
    .getByRole('textbox', { name: 'Name', exact: true })
    .fill('Make room before the update');
  await page.locator('main .dp-wave-sketch').waitFor();
  await press('Freeze the target set');
  await press('Assume the AirBlast role');
  await press('Start preflight');
  await press('Start the canaries');
  await press('Start the blast');
  await page.locator('main .dp-waves [data-part="success"]').nth(1).waitFor();
  await page.locator('main a[href*="run="]').nth(2).waitFor();
  await keep(page, 'air-blast.png');
}

async function keep(page: Page, name: string): Promise<void> {
  const path = join(images, name);
  await page.screenshot({ path });
  const { size } = await stat(path);
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MOST_BYTES}`);
}
