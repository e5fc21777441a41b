import { keepScreenshots } from './keep-screenshots.ts';
import type { Screens } from './open-screens.ts';

/** What the search offers for a state and a country. */
export async function takeSearch(screens: Screens): Promise<void> {
  await keepScreenshots(screens, 'search', async (page) => {
    await page.goto('/');
    await page.locator('main h1').waitFor();
    await page.keyboard.press('Control+k');
    const words = page === screens.chinese ? '降级 德国' : 'degraded germany';
    await page.getByRole('combobox').fill(words);
    await page
      .getByRole('option', { name: /Germany|德国/ })
      .first()
      .waitFor();
  });
}
