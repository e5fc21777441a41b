import { keepScreenshots } from './keep-screenshots.ts';
import type { Screens } from './open-screens.ts';

/** A rollout in its rollout stage. */
export async function takeAirBlast(screens: Screens): Promise<void> {
  const page = screens.english;
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
  const address = page.url();
  await keepScreenshots(screens, 'air-blast', async (each) => {
    await each.goto(address);
    await each.locator('main .dp-waves [data-part="success"]').nth(1).waitFor();
  });
}
