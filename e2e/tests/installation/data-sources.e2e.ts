import { describe, expect, test } from 'vitest';
import { dataSources } from '@deviceportal/contract/data-sources';
import { withOutsideSystems } from '../../support/change-answers.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { bodyRows, heading, rowOf } from '../../support/words.ts';

const testBrowser = openTestBrowser();

describe('data sources', () => {
  test('each is shown with what answers it, and leads to its setting and guide', async () => {
    const page = await testBrowser.open('admin', '/uam/data-sources');
    await rowOf(page, 'Analytics').getByText('Embedded DuckDB').waitFor();
    expect(await bodyRows(page).count()).toBe(dataSources.length);
    await page.getByRole('link', { name: 'Geolocation table' }).click();
    await heading(page, 'Geolocation table').waitFor();
    await page.getByText('DEVICEPORTAL_GEOLOCATION_TABLE').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Tables' }).waitFor();
    expect(await page.getByRole('button', { name: 'Read all items again' }).count()).toBe(0);
  });

  test('a system that fails is named first, with the reason and the next step', async () => {
    const page = await testBrowser.open('admin', '/uam/data-sources', {
      before: withOutsideSystems,
    });
    const note = page.getByRole('main').getByText('A data source is failing').locator('../..');
    await note.getByRole('link', { name: 'Geolocation table' }).click();
    await page.getByText('Failing · Access denied').waitFor();
    await page.getByText(/^Grant the role of the server the permissions/).waitFor();
    await page.getByText('Unknown device').waitFor();
    await page.getByText('3,120').waitFor();
  });

  test('a table is read again after a confirmation, which says why if it cannot be', async () => {
    const page = await testBrowser.open('admin', '/uam/data-sources/geolocations', {
      before: withOutsideSystems,
    });
    // This server has no such table.
    testBrowser.expectErrors(page, /404|not found/i);
    await page.getByRole('button', { name: 'Read all items again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/device-portal-geolocations are read again/).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Read all items again' }).press('Enter');
    await dialog.getByRole('button', { name: 'Read again' }).click();
    await dialog
      .getByText(/not found/i)
      .first()
      .waitFor();
  });

  test('texts are in Chinese for a user with that language', async () => {
    const look = { theme: 'light', density: 'comfortable', language: 'zh-CN' } as const;
    const page = await testBrowser.open('admin', '/uam/data-sources', { appearance: look });
    await heading(page, '数据源').waitFor();
    await rowOf(page, '地理位置表').getByText('内置').first().waitFor();
  });

  test('a user who can read access but not manage it cannot read a table again', async () => {
    const page = await testBrowser.open('auditor', '/uam/data-sources/geolocations', {
      before: withOutsideSystems,
    });
    const button = page.getByRole('button', { name: 'Read all items again' });
    await button.waitFor();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
  });

  test('without access:read, they are neither linked nor returned', async () => {
    const page = await testBrowser.open('support', '/');
    await page.getByRole('link', { name: 'Devices', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Data sources' }).count()).toBe(0);
    await page.goto('/uam/data-sources');
    await heading(page, /You don’t have access/).waitFor();
    const support = await PortalClient.signIn('support');
    await expect(support.ask('dataSources.list', undefined)).rejects.toThrow(/access:read/);
  });

  test('an unknown data source is not found', async () => {
    const page = await testBrowser.open('admin', '/uam/data-sources/nothing');
    await heading(page, /not found/i).waitFor();
  });
});
