import type { Page } from 'playwright-core';
import { keepScreenshots } from './keep-screenshots.ts';
import type { Screens } from './open-screens.ts';

/** The form of a rule with its preview, and rules with their states. */
export async function takeAlerts(screens: Screens): Promise<void> {
  await keepScreenshots(screens, 'alert-rule', async (page) => {
    await page.goto('/alerts?create=true&metric=memoryUsedPercent&q=country%3DDE');
    await page.getByRole('main').locator('[role="status"] span').first().waitFor();
    await page.getByText(/7 days|7 天/).waitFor();
  });
  await createRule(screens.english, '/alerts?create=true', 'Offline in Germany');
  await createRule(screens.english, '/alerts?create=true&metric=memoryUsedPercent', 'Memory');
  await keepScreenshots(screens, 'alerts', async (page) => {
    await page.goto('/alerts?tab=rules');
    await page.getByRole('main').locator('table tbody tr').nth(1).waitFor();
    await page
      .getByText(/^(?:OK|Firing|Above the threshold|正常|告警中|已超过阈值)$/)
      .first()
      .waitFor();
  });
}

async function createRule(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Create alert rule' }).click();
  await page.getByRole('row').filter({ hasText: name }).waitFor();
}
