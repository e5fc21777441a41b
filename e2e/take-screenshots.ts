/**
 * Takes the screenshots of the README from the running product: `npm run screenshots`, after
 * building the portal.
 */

import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { findFreePort } from '../apps/server/src/platform/http/find-free-port.ts';
import { startPortalProcess } from '../bench/support/portal-process.ts';
import { launchBrowser } from './support/browser.ts';

const USER = 'admin@deviceportal.local';
const MOST_BYTES = 300_000;
const FIRST_CHECKS_MS = 180_000;
const ASK_EVERY_MS = 3_000;
const STEP_LIMIT_MS = 120_000;
const images = join(import.meta.dirname, '../docs/images');

const dataDir = await mkdtemp(join(tmpdir(), 'deviceportal-screenshots-'));
try {
  const ports = {
    port: await findFreePort('127.0.0.1'),
    mqttPort: await findFreePort('127.0.0.1'),
  };
  await using portal = await startPortalProcess({
    dataDir,
    ...ports,
    args: ['--fleet', '200'],
    // A canary that goes offline by its simulated usage pattern would delay the rollout.
    env: { DEVICEPORTAL_AGENT_RHYTHM: 'off' },
  });
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
  page.setDefaultTimeout(STEP_LIMIT_MS);
  await page.goto('/signin?next=/devices');
  await page.locator('input[autocomplete^="username"]').fill(USER);
  await page.keyboard.press('Enter');
  const code = page.locator('input[autocomplete="one-time-code"]');
  await code.waitFor();
  const reply = await fetch(`${url}/outbox/messages?to=${encodeURIComponent(USER)}`);
  const [newest] = (await reply.json()) as { code: string }[];
  await code.fill(newest?.code ?? '');
  await page.locator('#top-bar').waitFor();
  const href = await findDegraded(page);
  await page.goto(`/devices?sel=${href.split('/').at(-1) ?? ''}`);
  await page.getByRole('link', { name: 'Open device' }).waitFor();
  await page.waitForLoadState('networkidle');
  await mkdir(images, { recursive: true });
  await keep(page, 'devices.png');
  await takeAirBlast(page);
  await browser.close();
}

/**
 * A device with findings, which the first self-checks of the fleet report a while after its start.
 */
async function findDegraded(page: Page): Promise<string> {
  const found = page.locator('main table tbody a[href^="/devices/"]').first();
  const none = page.locator('main table tbody button').first();
  for (const endsAt = Date.now() + FIRST_CHECKS_MS; Date.now() < endsAt;) {
    await page.goto('/devices?q=connectivity%3Ddegraded');
    await found.or(none).waitFor();
    const href = (await found.isVisible()) ? await found.getAttribute('href') : null;
    if (href !== null) return href;
    await setTimeout(ASK_EVERY_MS);
  }
  throw new Error(`no device of the fleet is degraded after ${FIRST_CHECKS_MS} ms`);
}

/** A rollout in its rollout stage, for the guide on changing many devices. */
async function takeAirBlast(page: Page): Promise<void> {
  const press = (name: string): Promise<void> =>
    page
      .locator('main button:not([aria-disabled="true"])')
      .filter({ hasText: name })
      .first()
      .click();
  await page.goto('/air-blast?plan=1&document=DevicePortal-storage-usage&q=model%3DL24');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Disks before the update');
  await page.locator('main .dp-wave-sketch').waitFor();
  await press('Create plan');
  await press('Assume the AirBlast role');
  await press('Start preflight');
  await press('Start canary');
  await press('Start rollout');
  await page.getByRole('dialog').getByRole('button', { name: 'Start rollout' }).click();
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
