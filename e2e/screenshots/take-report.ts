import { keepScreenshots } from './keep-screenshots.ts';
import type { Screens } from './open-screens.ts';

/** A report about the person of the case. */
export async function takeReport(screens: Screens): Promise<void> {
  const { english } = screens;
  await english.goto('/people');
  const person = english.locator('main table tbody a[href^="/people/"]').first();
  const personId = (await person.getAttribute('href'))?.split('/').at(-1) ?? '';
  await keepScreenshots(screens, 'user-report', async (page) => {
    await page.goto(`/reports/user-report?person=${personId}`);
    await page.getByRole('button', { name: /^(?:Create report|生成报告)$/ }).click();
    await page.getByRole('heading', { name: /^(?:Findings|检测结果)$/ }).waitFor();
  });
}
