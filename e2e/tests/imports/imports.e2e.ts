import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findViolations } from '../../support/accessibility.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading, rowOf } from '../../support/words.ts';

const testBrowser = openTestBrowser();
const run = Date.now().toString(36).toUpperCase();
const SERIAL_NUMBER = `IMP-${run}-1`;

const file = (name: string, text: string) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});
const choose = (page: Page, name: string, text: string): Promise<void> =>
  page.locator('input[type="file"]').setInputFiles(file(name, text));

const devices = [
  'serialNumber;name;country;price',
  `${SERIAL_NUMBER};Pump 1;DE;3`,
  'x;Pump 2;DE;3',
  `IMP-${run}-3;=HYPERLINK("x");DE;3`,
].join('\n');

describe('imports', () => {
  test('a file of devices is previewed, imported, and undone', async () => {
    const page = await testBrowser.open('admin', '/devices');
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Import devices' }).click();
    await heading(page, 'Import').waitFor();
    await choose(page, 'pumps.csv', devices);
    await page.getByRole('button', { name: 'Check file' }).click();
    await heading(page, 'pumps.csv').waitFor();
    await page.getByText('These columns of the file are ignored: price').waitFor();
    await page.getByRole('button', { name: 'Rejected (2)' }).waitFor();
    // The number of rejected rows is on screen before the last row that was checked.
    await rowOf(page, SERIAL_NUMBER).waitFor();
    const lines = await page.locator('main table tbody tr').allInnerTexts();
    expect(lines.map((line) => line.split(/\s/)[0])).toEqual(['3', '4', '2']);
    await rowOf(page, `IMP-${run}-3`)
      .getByText(/starts like a formula/)
      .waitFor();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/1 row is added/).waitFor();
    await dialog.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('Imported', { exact: true }).first().waitFor();
    await rowOf(page, SERIAL_NUMBER).getByRole('link', { name: SERIAL_NUMBER }).waitFor();

    await page.getByRole('button', { name: 'Create claim for new devices' }).click();
    await dialog.getByRole('button', { name: 'Create claim' }).click();
    await dialog.getByText('Claim created').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Undo import' }).click();
    await dialog.getByRole('button', { name: 'Undo import' }).click();
    await page.getByText('Undone', { exact: true }).first().waitFor();
    const admin = await PortalClient.signIn('admin');
    const { rows } = await admin.ask<{ rows: unknown[] }>('devices.list', {
      filter: { tokens: [{ key: 'serialNumber', operator: '=', values: [SERIAL_NUMBER] }] },
    });
    expect(rows).toEqual([]);
    await page.getByRole('link', { name: 'View in audit trail' }).click();
    await page.getByText(/undid an import/).waitFor();
  });

  test('people are pasted, and a second step is confirmed', async () => {
    const page = await testBrowser.open('admin', '/people');
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await page.getByText('Paste rows instead of a file').click();
    await page
      .getByRole('textbox', { name: 'Rows' })
      .fill(`username,name,email\nimp-${run},Ida Import,ida-${run}@example.com\n`);
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('Imported', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: `imp-${run}` }).click();
    await heading(page, 'Ida Import').waitFor();
  });

  test('a file that is no text is rejected with the reason', async () => {
    const page = await testBrowser.open('admin', '/imports');
    await choose(page, 'devices.xlsx.csv', 'PK\u0003\u0004\u0000\u0000');
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText('The file is not text. Save a spreadsheet as “CSV UTF-8”.').waitFor();
    await page.getByRole('link', { name: 'Import another file' }).click();
    await page.getByRole('link', { name: 'devices.xlsx.csv' }).first().waitFor();
  });

  test('support cannot import', async () => {
    const page = await testBrowser.open('support', '/imports');
    await page
      .getByText(/devices:manage/)
      .first()
      .waitFor();
  });

  test.each([
    ['light', 'en', 1_440],
    ['dark', 'zh-CN', 1_440],
    ['light', 'zh-CN', 390],
    ['dark', 'en', 390],
  ] as const)('the pages are accessible in %s, %s, %i wide', async (theme, language, width) => {
    const appearance = { theme, density: 'comfortable', language } as const;
    const page = await testBrowser.open('admin', '/imports', {
      appearance,
      viewport: { width, height: 900 },
    });
    await page.locator('input[type="file"]').waitFor({ state: 'attached' });
    expect(await findViolations(page)).toEqual([]);
    await choose(page, 'pumps.csv', devices);
    await page.getByRole('button', { name: /^(Check file|检查文件)$/ }).click();
    await rowOf(page, SERIAL_NUMBER).waitFor();
    expect(await findViolations(page)).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: /^(Discard|放弃)$/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^(Discard|放弃)$/ })
      .click();
    await page
      .getByText(/^(Discarded|已放弃)$/)
      .first()
      .waitFor();
  });
});
