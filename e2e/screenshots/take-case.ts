import { keepScreenshots } from './keep-screenshots.ts';
import type { Screens } from './open-screens.ts';

/** A case with a command and a note, and its report. */
export async function takeCase(screens: Screens): Promise<void> {
  const page = screens.english;
  await page.goto('/people');
  await page.locator('main table tbody a[href^="/people/"]').first().click();
  await page.getByRole('main').getByRole('button', { name: 'Open case' }).click();
  const dialog = page.getByRole('dialog', { name: /^Open case for/ });
  await dialog.getByLabel('Subject').fill('The screen stays black');
  await dialog.getByLabel('Ticket').fill('T-4711');
  await dialog.getByRole('button', { name: 'Open case' }).click();
  const bar = page.getByRole('region', { name: 'Active case' });
  await bar.getByText('T-4711').waitFor();
  const device = page.getByRole('main').locator('a[href^="/devices/"]').first();
  const deviceId = (await device.getAttribute('href'))?.split('/').at(-1) ?? '';
  await device.click();
  await page.getByRole('main').getByRole('tab').first().waitFor();
  await page.goto(`/commands/storage/usage?device=${deviceId}`);
  await page.getByRole('main').getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('main').getByText('Succeeded').first().waitFor();
  await page.locator('h1').first().click();
  await page.keyboard.press('n');
  const note = page.getByRole('dialog', { name: /^Note/ });
  await note.getByRole('textbox').fill('The disk is fine. The cable was loose.');
  await page.keyboard.press('Control+Enter');
  await note.waitFor({ state: 'detached' });
  await bar.getByRole('link').click();
  await page.getByRole('main').getByText('The cable was loose.').first().waitFor();
  const address = page.url();
  await keepScreenshots(screens, 'case', async (each) => {
    await each.goto(address);
    await each.getByRole('main').getByText('The cable was loose.').first().waitFor();
  });
}
