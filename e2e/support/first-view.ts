import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A laptop screen. What a user needs first is on it without scrolling. */
export const laptop = { width: 1440, height: 900 };

export async function expectInFirstView(page: Page, locator: Locator): Promise<void> {
  await locator.waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  const box = await locator.boundingBox();
  expect(box === null ? null : box.y + box.height).toBeLessThanOrEqual(laptop.height);
}
