/** The pictures of the README, taken from the running product. `npm run screenshots`, with the portal built. */

import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const path = join(images, 'devices.png');
  await page.screenshot({ path });
  await browser.close();
  const { size } = await stat(path);
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MOST_BYTES}`);
}
