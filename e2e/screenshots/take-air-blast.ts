import type { Page } from 'playwright-core';
import { keepScreenshot } from './keep-screenshot.ts';

/** A rollout in its rollout stage. */
export async function takeAirBlast(page: Page): Promise<void> {
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
  await keepScreenshot(page, 'air-blast.png');
}
