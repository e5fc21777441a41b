import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { takeCustomer } from '../support/customer.ts';
import { findSerifTexts } from '../support/find-serif-texts.ts';
import { readFleet, type Fleet } from '../support/fleet.ts';
import { PortalClient } from '../support/portal-client.ts';
import { openTestBrowser } from '../support/test-browser.ts';
import { heading } from '../support/words.ts';

/** Two tabs, five screens, and a command. */
const STORY_LIMIT_MS = 150_000;

const testBrowser = openTestBrowser();
let support: PortalClient;
let fleet: Fleet;
beforeAll(async () => {
  support = await PortalClient.signIn('support');
  fleet = await readFleet(await PortalClient.signIn('admin'));
});

const bar = (page: Page) => page.getByRole('region', { name: 'Active case' });
const timeline = (page: Page) => page.getByRole('main').locator('.dp-case-timeline');

describe('a case', () => {
  test(
    'a case from start to end: the person is found by phone, helped, and everything is recorded in the case',
    async () => {
      const customer = await takeCustomer(support, fleet.takeOnline);
      const page = await testBrowser.open('support', '/');
      await page.getByRole('button', { name: /Paste a serial number/ }).click();
      await page.keyboard.type(customer.phone);
      await page.getByRole('option', { name: customer.name }).first().click();
      await heading(page, customer.name).waitFor();

      await page.getByRole('main').getByRole('button', { name: 'Open case' }).click();
      const dialog = page.getByRole('dialog', { name: `Open case for ${customer.name}` });
      await dialog.getByLabel('Subject').fill('The screen stays black');
      await dialog.getByLabel('Ticket').fill('T-4711');
      await dialog.getByRole('button', { name: 'Open case' }).click();
      await bar(page).getByText('T-4711').waitFor();
      expect(await findSerifTexts(page)).toEqual([]);

      // The device and the command are recorded in the case without mentioning it.
      const { serialNumber, id: deviceId } = customer.device;
      await page.getByRole('main').getByRole('link', { name: serialNumber }).first().click();
      await heading(page, serialNumber).waitFor();
      await page.goto(`/commands/storage/usage?device=${deviceId}`);
      await page.getByRole('main').getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('main').getByText('Succeeded').first().waitFor();

      // A second tab shows the same case, with live updates.
      const other = await testBrowser.openTab(page, '/');
      await bar(other).getByRole('link').click();
      await heading(other, `Case for ${customer.name}`).waitFor();
      const entries = timeline(other);
      await entries.getByText(/ran storage\/usage/).waitFor();
      await entries.getByText('Succeeded').waitFor();
      await entries
        .getByText(/viewed the device/)
        .first()
        .waitFor();

      await page.locator('h1').first().click();
      await page.keyboard.press('n');
      const note = page.getByRole('dialog', { name: /^Note/ });
      await note.getByRole('textbox').fill('The disk is fine; the cable was loose.');
      await page.keyboard.press('Control+Enter');
      await note.waitFor({ state: 'detached' });
      await entries.getByText('The disk is fine; the cable was loose.').waitFor();

      await bar(page).getByRole('button', { name: 'Close case…' }).click();
      const closing = page.getByRole('dialog', { name: /^Close case/ });
      await closing.getByRole('radio').first().and(page.locator(':focus')).waitFor();
      await closing.getByRole('radio', { name: 'Resolved', exact: true }).check();
      await closing.getByLabel('Closing note').fill('Told to push the cable in.');
      await closing.getByRole('button', { name: 'Close case' }).click();
      await bar(page).waitFor({ state: 'detached' });
      await page.getByRole('main').getByText('Told to push the cable in.').first().waitFor();
      await bar(other).waitFor({ state: 'detached' });

      const caseId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      await page.getByRole('link', { name: 'View report' }).click();
      await page.locator('main .dp-report-table td').first().waitFor();

      const kept = await support.ask<{ rows: { kind: string; deviceId: string | null }[] }>(
        'cases.listEntries',
        { caseId, pageSize: 100 },
      );
      const kinds = kept.rows.map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(['opened', 'command', 'note', 'closed']));
      expect(kept.rows.find(({ kind }) => kind === 'command')?.deviceId).toBe(deviceId);
    },
    STORY_LIMIT_MS,
  );

  test('a dialog closes with its page and keeps its text for the next time', async () => {
    const customer = await takeCustomer(support, fleet.takeOnline);
    const page = await testBrowser.open('support', `/people/${customer.id}`);
    await heading(page, customer.name).waitFor();
    await page.getByRole('link', { name: customer.device.serialNumber }).first().click();
    await heading(page, customer.device.serialNumber).waitFor();
    await page.goBack();
    await heading(page, customer.name).waitFor();

    const open = page.getByRole('main').getByRole('button', { name: 'Open case' });
    const dialog = page.getByRole('dialog', { name: `Open case for ${customer.name}` });
    await open.click();
    await dialog.getByLabel('Subject').fill('No sound');
    await page.goForward();
    await heading(page, customer.device.serialNumber).waitFor();
    await dialog.waitFor({ state: 'detached' });

    await page.goBack();
    await open.click();
    expect(await dialog.getByLabel('Subject').inputValue()).toBe('No sound');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await open.click();
    expect(await dialog.getByLabel('Subject').inputValue()).toBe('');
  });
});
