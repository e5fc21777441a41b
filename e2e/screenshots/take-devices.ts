import { findDegraded } from './find-degraded.ts';
import { keepScreenshots } from './keep-screenshots.ts';
import type { Screens } from './open-screens.ts';

/** The list with a device that has findings, and that device. */
export async function takeDevices(screens: Screens): Promise<void> {
  const href = await findDegraded(screens.english);
  await keepScreenshots(screens, 'devices', async (page) => {
    await page.goto(`/devices?sel=${href.split('/').at(-1) ?? ''}`);
    await page.getByRole('link', { name: /^(?:Open device|打开设备)$/ }).waitFor();
  });
  await keepScreenshots(screens, 'device', async (page) => {
    await page.goto(href);
    await page.getByRole('main').getByRole('tab').first().waitFor();
  });
}
