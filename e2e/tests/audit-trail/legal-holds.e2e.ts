import { describe, expect, test } from 'vitest';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading, rowOf } from '../../support/words.ts';

const testBrowser = openTestBrowser();

describe('legal holds', () => {
  test('an administrator sets a hold, and its release needs another user', async () => {
    const name = `Case ${Date.now()}`;
    const page = await testBrowser.open('admin', '/legal-holds');
    testBrowser.expectErrors(page, /status of 400|No device, user, customer, or case matches/);
    await page.getByRole('button', { name: 'Set legal hold' }).click();
    await page.waitForURL(/set=/);
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Set legal hold' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Court order');
    expect(await submit.isEnabled()).toBe(false);
    await submit.hover();
    await page.locator(':text("Enter or choose the missing values first."):visible').waitFor();
    const covers = dialog.getByRole('textbox', { name: 'Covers' });
    await covers.fill('SN-UNKNOWN-1');
    await submit.click();
    await dialog.getByText(/No device, user, customer, or case matches/).waitFor();
    await covers.fill('viewer@deviceportal.local');
    await submit.click();
    await rowOf(page, name).getByText('Active').waitFor();
    await rowOf(page, name).getByRole('link', { name: 'viewer@deviceportal.local' }).waitFor();

    await rowOf(page, name)
      .getByRole('button', { name: `Actions for ${name}` })
      .click();
    await page.getByRole('menuitem', { name: 'Request release' }).click();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Case closed');
    await dialog.getByRole('button', { name: 'Request release' }).click();
    await rowOf(page, name).getByText('Release requested').waitFor();
    await rowOf(page, name)
      .getByRole('button', { name: `Actions for ${name}` })
      .click();
    const approve = page.getByRole('menuitem', { name: /Approve release/ });
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('menuitem', { name: 'Reject release' }).click();
    await rowOf(page, name).getByText('Active').waitFor();
  });

  test('support has no link to legal holds, and no access', async () => {
    const page = await testBrowser.open('support', '/');
    await page.getByRole('link', { name: 'Devices', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Legal holds' }).count()).toBe(0);
    const support = await PortalClient.signIn('support');
    await expect(support.ask('legalHolds.list', undefined)).rejects.toThrow(/legal-holds:read/);
  });

  test('texts are in Chinese for a user with that language', async () => {
    const look = { theme: 'light', density: 'comfortable', language: 'zh-CN' } as const;
    const page = await testBrowser.open('admin', '/legal-holds', { appearance: look });
    await heading(page, '法律保留').waitFor();
  });
});
