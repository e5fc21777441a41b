import type { Page } from 'playwright-core';
import { addVirtualAuthenticator } from '../support/virtual-authenticator.ts';
import { keepScreenshots } from './keep-screenshots.ts';
import type { Screens } from './open-screens.ts';

/** Screens whose guides show them, each after this has appeared on it. */
const SCREENS = [
  { name: 'home', path: '/', part: 'main h2 >> nth=2' },
  { name: 'backups', path: '/uam/backups', part: 'main table' },
  { name: 'ticket-system', path: '/uam/ticket-system', part: 'main input' },
  { name: 'audit-trail', path: '/audit-trail/device', part: 'main table tbody tr' },
  { name: 'profile', path: '/profile', part: 'main h2 >> nth=2' },
] as const;

export async function takeAdministration(screens: Screens): Promise<void> {
  await addPasskey(screens.english);
  for (const { name, path, part } of SCREENS)
    await keepScreenshots(screens, name, async (page) => {
      await page.goto(path);
      await page.locator(part).first().waitFor();
    });
}

async function addPasskey(page: Page): Promise<void> {
  await addVirtualAuthenticator(page);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('button', { name: 'I saved the codes' }).click();
  await page.getByRole('button', { name: /^Rename / }).click();
  const rename = page.getByRole('dialog');
  await rename.getByRole('textbox').fill('Work laptop');
  await rename.getByRole('button', { name: 'Rename' }).click();
  await rename.waitFor({ state: 'detached' });
}
