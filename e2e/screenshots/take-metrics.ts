import type { Page } from 'playwright-core';
import { findDegraded } from './find-degraded.ts';
import { keepScreenshots } from './keep-screenshots.ts';
import type { Screens } from './open-screens.ts';

/** The job that rolls up days runs every five minutes. */
const ROLLED_UP_MS = 480_000;
const ASK_EVERY_MS = 10_000;

/** The metrics of a device with findings, compared with its model, and those of the fleet. */
export async function takeMetrics(screens: Screens): Promise<void> {
  await waitForBoxes(screens.english);
  const href = await findDegraded(screens.english);
  // It sends the samples of its past first.
  await screens.english.goto(`${href}?tab=metrics`);
  await screens.english
    .getByText(/Last measured .*(?:now|sec|min)/)
    .waitFor({ timeout: ROLLED_UP_MS });
  await keepScreenshots(screens, 'metrics', async (page) => {
    await page.goto(`${href}?tab=metrics&range=1d&model=true`);
    // The line of the model, drawn after the comparison.
    await page.getByText(/^(?:Dashed line|虚线)/).waitFor();
  });
  await keepScreenshots(screens, 'fleet-metrics', async (page) => {
    await page.goto('/device-metrics?metric=temperatureCelsius');
    await boxes(page).waitFor();
  });
}

const boxes = (page: Page) => page.locator('main table [role="img"]').first();

async function waitForBoxes(page: Page): Promise<void> {
  for (const endsAt = Date.now() + ROLLED_UP_MS; Date.now() < endsAt;) {
    await page.goto('/device-metrics');
    try {
      await boxes(page).waitFor({ timeout: ASK_EVERY_MS });
      return;
    } catch {
      // Not rolled up yet.
    }
  }
  throw new Error(`no metrics of the fleet after ${ROLLED_UP_MS} ms`);
}
