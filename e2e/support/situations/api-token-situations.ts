import type { Situation } from './situation.ts';
import { waitingUserCode } from './waiting-application.ts';

const createButton = 'main button[class*="variant-primary"]';

export const apiTokenSituations: readonly Situation[] = [
  {
    name: '/uam/api-tokens',
    path: () => '/uam/api-tokens',
    reach: (page) => page.locator('main table').first().waitFor(),
  },
  {
    name: 'new service token',
    path: () => '/uam/api-tokens',
    reach: async (page) => {
      await page.locator(createButton).first().click();
      await page.locator('[role="dialog"] input').first().waitFor();
    },
  },
  {
    name: '/uam/webhooks',
    path: () => '/uam/webhooks',
    reach: (page) => page.locator('main table').first().waitFor(),
  },
  {
    name: 'new webhook',
    path: () => '/uam/webhooks',
    reach: async (page) => {
      await page.locator(createButton).first().click();
      await page.locator('[role="dialog"] input[type="url"]').waitFor();
    },
  },
  {
    name: '/activate',
    path: () => '/activate',
    reach: (page) => page.locator('main input').first().waitFor(),
  },
  {
    name: 'application that waits for approval',
    path: () => '/activate',
    reach: async (page) => {
      await page
        .locator('main input')
        .first()
        .fill(await waitingUserCode(page));
      await page.locator(createButton).first().click();
      await page.locator('main input[type="checkbox"]').first().waitFor();
    },
  },
];
