import { describe, test } from 'vitest';
import { openTestBrowser } from '../support/test-browser.ts';
import { bodyRows, heading } from '../support/words.ts';

const testBrowser = openTestBrowser();

describe('the other areas', () => {
  test('[e2e-versions-1] a component leads to its versions and those to the devices that have one', async () => {
    const page = await testBrowser.open('admin', '/tavs');
    await page.getByRole('searchbox', { name: 'Find a component' }).fill('firmware');
    await page.getByRole('grid', { name: 'Components' }).getByText('firmware').first().click();
    await page.getByRole('main').locator('a[href^="/devices?"]').first().click();
    await heading(page, /^Devices/).waitFor();
    await bodyRows(page).first().waitFor();
  });

  test('[e2e-access-1] a user shows roles, and a role its permissions', async () => {
    const page = await testBrowser.open('admin', '/uam/users');
    await bodyRows(page).first().waitFor();
    await page
      .getByRole('main')
      .getByRole('link', { name: /support/ })
      .first()
      .click();
    await heading(page, /support/i).waitFor();
    await page.getByRole('main').locator('a[href^="/uam/roles/"]').first().click();
    await page.getByText('commands:read').first().waitFor();
  });

  test('[e2e-calls-1] the calls that made a page are on record', async () => {
    const page = await testBrowser.open('admin', '/devices');
    await bodyRows(page).first().waitFor();
    await page.goto('/api-calls');
    await page.getByText('devices.list').first().waitFor();
  });
});
