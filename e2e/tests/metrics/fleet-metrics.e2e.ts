import { describe, expect, test } from 'vitest';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading } from '../../support/words.ts';

const testBrowser = openTestBrowser();

describe('metrics of the fleet', () => {
  test('show a box for each group, by model, version, and country, which the address names', async () => {
    const page = await testBrowser.open('admin', '/devices');
    await page.getByRole('navigation').getByRole('link', { name: 'Metrics', exact: true }).click();
    await heading(page, 'Metrics').waitFor();
    await page.getByRole('button', { name: 'Country' }).click();
    await page.waitForURL(/by=country/);
    await page.getByRole('columnheader', { name: 'Country' }).first().waitFor();
    await page.getByRole('button', { name: 'Version' }).click();
    await page.waitForURL(/by=version/);
    const box = page.getByRole('img', { name: /^Median .* middle half from/ }).first();
    await box.or(page.getByText('No distribution yet')).first().waitFor();
  });

  test('lead to the devices above a limit', async () => {
    const page = await testBrowser.open('admin', '/devices?q=metric%3E%3DdiskUsedPercent:95');
    await page.getByText('Metric (last day) >= Disk used 95%').first().waitFor();
    expect(await page.getByText('were ignored').count()).toBe(0);
  });
});
