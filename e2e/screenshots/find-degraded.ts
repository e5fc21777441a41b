import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const FIRST_CHECKS_MS = 180_000;
const ASK_EVERY_MS = 3_000;

/** Path of a device with findings, which the first self-checks of the fleet report a while after its start. */
export async function findDegraded(page: Page): Promise<string> {
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
