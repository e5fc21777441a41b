import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Screens } from './open-screens.ts';

const MOST_BYTES = 300_000;
const SETTLED_MS = 5_000;
const images = join(import.meta.dirname, '../../docs/images');

/**
 * Takes a screenshot in each language.
 *
 * @param name of the files in `docs/images`: `name.png` and `name.zh.png`
 * @param show opens what is shown, in any language
 */
export async function keepScreenshots(
  { english, chinese }: Screens,
  name: string,
  show: (page: Page) => Promise<void>,
): Promise<void> {
  await showAndKeep(english, `${name}.png`, show);
  await showAndKeep(chinese, `${name}.zh.png`, show);
}

/** Takes the screenshot of one page. */
export async function showAndKeep(
  page: Page,
  file: string,
  show: (page: Page) => Promise<void>,
): Promise<void> {
  await mkdir(images, { recursive: true });
  await show(page);
  // Pages that poll are never idle.
  await page.waitForLoadState('networkidle', { timeout: SETTLED_MS }).catch(() => {});
  const path = join(images, file);
  await page.screenshot({ path });
  const { size } = await stat(path);
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MOST_BYTES}`);
}
