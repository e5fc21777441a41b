import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { keepScreenshots } from './keep-screenshots.ts';
import type { Screens } from './open-screens.ts';

const FIRST_CHECKS_MS = 180_000;
const ASK_EVERY_MS = 3_000;

/** The list with a device that has findings, and that device. */
export async function takeDevices(screens: Screens): Promise<void> {
  const href = await findDegraded(screens.english);
  await keepScreenshots(screens, 'devices', async (page) => {
    await page.goto(`/devices?sel=${href.split('/').at(-1) ?? ''}`);
    await page.getByRole('link', { name: /^(?:Open device|打开设备)$/ }).waitFor();
  });
  await keepScreenshots(screens, 'device', async (page) => {
    await page.goto(href);
    await page.getByRole('main').getByRole('tab').first().waitFor();
  });
}

/** A device with findings, which the first self-checks of the fleet report a while after its start. */
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
