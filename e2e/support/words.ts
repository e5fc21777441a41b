import type { Locator, Page } from 'playwright-core';

/** The page's only first-level heading. */
export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name });

/** Rows of a table's body with a link. */
export const bodyRows = (page: Page): Locator =>
  page.locator('main table tbody tr').filter({ has: page.locator('a[href]') });

export const rowOf = (page: Page, text: string): Locator =>
  page.locator('main table tbody tr').filter({ hasText: text });

/** Opens a drop-down by its button and selects an item. */
export async function choose(page: Page, button: string, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Keyboard shortcuts work only outside fields, so the heading is focused first. */
export async function pressOutsideFields(page: Page, key: string): Promise<void> {
  await page.locator('main h1').first().focus();
  await page.keyboard.press(key);
}

export const searchParam = (page: Page, name: string): string | null =>
  new URL(page.url()).searchParams.get(name);

/** QueuedBehind until the button is enabled. */
export const pressWhenReady = (page: Page, name: string): Promise<void> =>
  page.locator('button:not([aria-disabled="true"])').filter({ hasText: name }).first().click();
