import type { Page } from 'playwright-core';
import { keepScreenshot } from './keep-screenshot.ts';

/** What the search offers for a state and a country. */
export async function takeSearch(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: /Paste a serial number/ }).click();
  await page.keyboard.type('degraded germany');
  await page.getByRole('option').first().waitFor();
  await keepScreenshot(page, 'search.png');
  await page.keyboard.press('Escape');
}
