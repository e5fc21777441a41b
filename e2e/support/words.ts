import type { Locator, Page } from 'playwright-core';

/** The page's one heading of the first level. */
export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name });

/** Rows of a table's body that stand for something, by the link in them. */
export const bodyRows = (page: Page): Locator =>
  page.locator('main table tbody tr').filter({ has: page.locator('a[href]') });

export const rowOf = (page: Page, text: string): Locator =>
  page.locator('main table tbody tr').filter({ hasText: text });

/** Opens a drop-down by its button and takes one of its items. */
export async function choose(page: Page, button: string, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** What a key would do is only done outside fields: the heading takes the focus there. */
export async function pressOutsideFields(page: Page, key: string): Promise<void> {
  await page.locator('main h1').first().focus();
  await page.keyboard.press(key);
}

export const searchParam = (page: Page, name: string): string | null =>
  new URL(page.url()).searchParams.get(name);

/** Only an enabled one: while an answer is awaited, the button waits too. */
export const pressWhenReady = (page: Page, name: string): Promise<void> =>
  page.locator('button:not([aria-disabled="true"])').filter({ hasText: name }).first().click();
