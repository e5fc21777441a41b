import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const MOST_BYTES = 300_000;
const SETTLED_MS = 5_000;
const images = join(import.meta.dirname, '../../docs/images');

/** @param name of the file in `docs/images` */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(images, { recursive: true });
  // Pages that poll are never idle.
  await page.waitForLoadState('networkidle', { timeout: SETTLED_MS }).catch(() => {});
  const path = join(images, name);
  await page.screenshot({ path });
  const { size } = await stat(path);
  if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MOST_BYTES}`);
}
