import type { Page } from 'playwright-core';
import { keepScreenshot } from './keep-screenshot.ts';

/** Screens whose guides show them, each after this has appeared on it. */
const SCREENS = [
  { name: 'home.png', path: '/', part: 'main h2 >> nth=2' },
  { name: 'backups.png', path: '/uam/backups', part: 'main table' },
  { name: 'profile.png', path: '/profile', part: 'main h2 >> nth=2' },
] as const;

export async function takeAdministration(page: Page): Promise<void> {
  for (const { name, path, part } of SCREENS) {
    await page.goto(path);
    await page.locator(part).waitFor();
    await keepScreenshot(page, name);
  }
}
