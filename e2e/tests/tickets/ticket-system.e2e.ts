import { describe, expect, test } from 'vitest';
import { findViolations } from '../../support/accessibility.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading } from '../../support/words.ts';

const testBrowser = openTestBrowser();

describe('the ticket system', () => {
  test('an address inside the network is rejected, with the reason', async () => {
    const page = await testBrowser.open('admin', '/uam/ticket-system');
    testBrowser.expectErrors(page, /status of 400|mutation tickets\.saveSystem/);
    await page.getByRole('textbox', { name: 'Address' }).fill('https://127.0.0.1');
    await page.getByRole('textbox', { name: 'Account' }).fill('portal@example.com');
    await page.getByRole('textbox', { name: 'Project key' }).fill('SUP');
    await page.locator('input[type="password"]').fill('a key');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByText(/127\.0\.0\.1/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'ServiceNow' }).click();
    await page.getByRole('textbox', { name: 'Close code' }).waitFor();
  });

  test('an operator has no access', async () => {
    const page = await testBrowser.open('operator', '/uam/ticket-system');
    await page
      .getByText(/access:manage/)
      .first()
      .waitFor();
  });

  test.each([
    ['light', 'en', 1_440],
    ['dark', 'zh-CN', 1_440],
    ['light', 'zh-CN', 390],
    ['dark', 'en', 390],
  ] as const)('the page is accessible in %s, %s, %i wide', async (theme, language, width) => {
    const appearance = { theme, density: 'comfortable', language } as const;
    const page = await testBrowser.open('admin', '/uam/ticket-system', {
      appearance,
      viewport: { width, height: 900 },
    });
    await heading(page, /Ticket system|工单系统/).waitFor();
    await page.locator('main input[type="url"]').waitFor();
    expect(await findViolations(page)).toEqual([]);
  });
});
