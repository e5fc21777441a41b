import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { BackupsView } from '@deviceportal/contract/backups';
import { withBackups } from '../../support/change-answers.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { failingBackups, workingBackups } from '../../support/simulated-backups.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading, rowOf } from '../../support/words.ts';

const testBrowser = openTestBrowser();
const open = (person: 'admin' | 'auditor', backups: BackupsView): Promise<Page> =>
  testBrowser.open(person, '/uam/backups', { before: (page) => withBackups(page, backups) });
const start = (page: Page) => page.getByRole('button', { name: 'Start backup' }).first();

describe('backups', () => {
  test('without a schedule, the page describes how to set one', async () => {
    const page = await testBrowser.open('admin', '/');
    await page.getByRole('link', { name: 'Backups', exact: true }).click();
    await heading(page, 'Backups').waitFor();
    await page.getByText('No backups are scheduled').waitFor();
    await page.getByText(/^Set DEVICEPORTAL_BACKUP_LOCATION/).waitFor();
    expect(await start(page).count()).toBe(0);
  });

  test('the last one is shown with its age, size, and duration, and the times that can be restored', async () => {
    const page = await open('admin', workingBackups());
    const main = page.getByRole('main');
    await main.getByText('Working', { exact: true }).waitFor();
    await main.getByText('1.8 GB').first().waitFor();
    await main.getByText('4 min, 12 sec').or(main.getByText('4 min 12 sec')).first().waitFor();
    await main.getByText('Complete copy: every 1 day. Changes: every 1 min.').waitFor();
    await main
      .getByText(/3 hr\. ago|3 hours ago/)
      .first()
      .waitFor();
    await rowOf(page, 'Manual').getByText('Stored').waitFor();
    await rowOf(page, 'Interrupted').getByText('Scheduled').waitFor();
  });

  test('a failure is named first, with its reason and the next step', async () => {
    const page = await open('admin', failingBackups());
    await page.getByText('The last backup failed').waitFor();
    await page.getByText(/^The backup location is full\. Add space/).waitFor();
    await rowOf(page, 'Failed 30 times')
      .getByText(/· No space left/)
      .first()
      .waitFor();
    await page.getByText(/^Never\. Only a restore proves that backups work/).waitFor();
  });

  test('one is started after a confirmation, which says why if it cannot be', async () => {
    const page = await open('admin', workingBackups());
    // This server has no backup location.
    testBrowser.expectErrors(page, /404|not found/i);
    await start(page).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/s3:\/\/company-backups\/device-portal/).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await start(page).press('Enter');
    await dialog.getByRole('button', { name: 'Start backup' }).click();
    await dialog
      .getByText(/not found/i)
      .first()
      .waitFor();
  });

  test('none can be started while one is running, or without access:manage', async () => {
    const running = { ...workingBackups(), runningSince: new Date().toISOString() };
    const page = await open('admin', running);
    await page.getByText('Backup in progress').waitFor();
    expect(await start(page).getAttribute('aria-disabled')).toBe('true');
    const auditor = await open('auditor', workingBackups());
    await start(auditor).waitFor();
    expect(await start(auditor).getAttribute('aria-disabled')).toBe('true');
  });

  test('without access:read, they are neither linked nor returned', async () => {
    const page = await testBrowser.open('support', '/');
    await page.getByRole('link', { name: 'Devices', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Backups' }).count()).toBe(0);
    await page.goto('/uam/backups');
    await heading(page, /You don’t have access/).waitFor();
    const support = await PortalClient.signIn('support');
    await expect(support.ask('backups.get', undefined)).rejects.toThrow(/access:read/);
  });
});
