import type { Page } from 'playwright-core';
import { withNothingSetUp } from '../change-answers.ts';
import type { Situation } from './situation.ts';

/** The ticket of an open case, which is assigned to no user, urgent, and overdue. */
export const OPEN_TICKET = 'T-open';

const openCase = async (page: Page): Promise<void> => {
  await page.locator('main tbody a[href^="/cases/"]').first().click();
  await page.locator('.dp-case-entry').first().waitFor();
};

/** Cases in progress, the help, and the setup. */
export const caseSituations: readonly Situation[] = [
  {
    name: 'closed case',
    path: () => '/cases?show=closed',
    reach: openCase,
  },
  {
    name: 'overdue cases',
    path: () => `/cases?show=overdue&ticket=${OPEN_TICKET}&sort=due`,
    reach: (page) => page.locator('main tbody a[href^="/cases/"]').first().waitFor(),
  },
  {
    name: 'open case',
    path: () => `/cases?ticket=${OPEN_TICKET}`,
    reach: openCase,
  },
  {
    name: 'assigning a case',
    isAlone: true,
    path: () => `/cases?ticket=${OPEN_TICKET}`,
    reach: async (page) => {
      await openCase(page);
      await page.locator('main dd button').last().click();
      await page.locator('[role="dialog"] #case-assignee').click();
      await page.locator('[role="option"]').nth(2).waitFor();
    },
  },
  {
    name: 'help of a page',
    isAlone: true,
    path: () => '/cases?show=all',
    reach: async (page) => {
      await page.locator('main h1').first().focus();
      await page.keyboard.press('h');
      await page.locator('.dp-help-links a[href="/glossary"]').waitFor();
    },
  },
  {
    name: 'guide',
    path: () => '/guides/support-cases',
    reach: (page) => page.locator('.dp-guide table').first().waitFor(),
  },
  {
    name: 'home of an empty installation',
    path: () => '/',
    before: withNothingSetUp,
    reach: (page) => page.locator('.home-setup a').first().waitFor(),
  },
];
