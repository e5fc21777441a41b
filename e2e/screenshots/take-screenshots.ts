/** Takes the screenshots of the README and of the guides from the running product: `npm run screenshots`. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../apps/server/src/platform/http/find-free-port.ts';
import { startPortalProcess } from '../../bench/support/portal-process.ts';
import { launchBrowser } from '../support/browser.ts';
import { takeAdministration } from './take-administration.ts';
import { takeAirBlast } from './take-air-blast.ts';
import { takeCase } from './take-case.ts';
import { takeDevices } from './take-devices.ts';
import { takeSearch } from './take-search.ts';

const USER = 'admin@deviceportal.local';
const STEP_LIMIT_MS = 60_000;

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
  for (const take of [takeDevices, takeSearch, takeCase, takeAdministration, takeAirBlast])
    await take(page);
  await browser.close();
}
