import { describe, test } from 'vitest';
import { openTestBrowser } from '../../support/test-browser.ts';
import { bodyRows, heading } from '../../support/words.ts';

const testBrowser = openTestBrowser();

describe('other areas', () => {
  test('a component leads to its versions, and a version to its devices', async () => {
    const page = await testBrowser.open('admin', '/tavs');
    await page.getByRole('searchbox', { name: 'Find a component' }).fill('firmware');
    await page.getByRole('grid', { name: 'Components' }).getByText('firmware').first().click();
    await page.getByRole('main').locator('a[href^="/devices?"]').first().click();
    await heading(page, /^Devices/).waitFor();
    await bodyRows(page).first().waitFor();
  });

  test('a user shows roles, and a role its permissions', async () => {
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

  test('text that a table cell cuts off is its tooltip', async () => {
    const page = await testBrowser.open('admin', '/devices?q=sensor-hub');
    await bodyRows(page).first().waitFor();
    const name = page.getByRole('gridcell').getByText(/^sensor-hub-[a-z]{6,}-\d+$/);
    const text = await name.first().innerText();
    await name.first().hover();
    await page.locator(`td[title="${text}"]`).waitFor();
  });

  test('the API calls of a page are listed', async () => {
    const page = await testBrowser.open('admin', '/devices');
    await bodyRows(page).first().waitFor();
    await page.goto('/api-calls');
    await page.getByText('devices.list').first().waitFor();
  });
});
