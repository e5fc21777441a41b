import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { takeCustomer } from '../../support/customer.ts';
import { findSerifTexts } from '../../support/find-serif-texts.ts';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading, rowOf, searchParam } from '../../support/words.ts';

/** Two tabs, five screens, and a command. */
const STORY_LIMIT_MS = 150_000;

const testBrowser = openTestBrowser();
let support: PortalClient;
let admin: PortalClient;
let fleet: Fleet;
beforeAll(async () => {
  support = await PortalClient.signIn('support');
  admin = await PortalClient.signIn('admin');
  fleet = await readFleet(admin);
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

  test('on a phone, the bar of the case is two lines high', async () => {
    const { id: personId, name } = await takeCustomer(support, fleet.takeOnline);
    await support.order<Case>('cases.open', { personId, ticket: 'PHONE-1' });
    const phone = { viewport: { width: 390, height: 844 } };
    const page = await testBrowser.open('support', '/', phone);
    await bar(page).getByTitle(`Case for ${name}`).waitFor();
    await bar(page).getByRole('button', { name: 'Leave case' }).waitFor();
    expect((await bar(page).boundingBox())?.height).toBeLessThan(70);
    await support.order('cases.leave', undefined);
  });
});

interface Case {
  readonly id: string;
  readonly ticket: string;
  readonly assignee: { readonly name: string } | null;
}

const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** A case that is not the active one of its user. */
async function openCase(ticket: string, how: object): Promise<Case> {
  const { id: personId } = await takeCustomer(support, fleet.takeOnline);
  const made = await support.order<Case>('cases.open', { personId, ticket, ...how });
  await support.order('cases.leave', undefined);
  return made;
}

const show = (page: Page, name: string): Promise<void> =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click();

describe('planning cases', () => {
  test('an unassigned, overdue case is found by the quick filters and assigned to the viewer', async () => {
    const { id, ticket } = await openCase('PLAN-1', { assigneeId: null, dueAt: inHours(-2) });
    const page = await testBrowser.open('support', `/cases?ticket=${ticket}`);
    await rowOf(page, ticket).getByText('Unassigned').waitFor();
    await show(page, 'Overdue');
    expect(searchParam(page, 'show')).toBe('overdue');
    await rowOf(page, ticket).getByText('Overdue').waitFor();
    await show(page, 'Unassigned');
    await rowOf(page, ticket).getByRole('link').first().click();
    await page.waitForURL(`**/cases/${id}`);

    await page.getByRole('main').getByRole('button', { name: 'Assign to me' }).click();
    await page
      .getByText(/assigned the case to/)
      .first()
      .waitFor();
    await page.goto(`/cases?show=mine&ticket=${ticket}`);
    await rowOf(page, ticket).waitFor();
    await show(page, 'Unassigned');
    await page.getByText('No matches').first().waitFor();
  });

  test('another assignee is notified, and sees the case among the own ones', async () => {
    const { id, ticket } = await openCase('PLAN-2', { priority: 'high' });
    const page = await testBrowser.open('support', `/cases/${id}`);
    await heading(page, /^Case for/).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Change assignee' }).click();
    const dialog = page.getByRole('dialog', { name: 'Assign case' });
    await dialog.locator('#case-assignee').click();
    await page.getByRole('option', { name: /admin/i }).first().click();
    await dialog.getByRole('button', { name: 'Assign case' }).click();
    await dialog.waitFor({ state: 'detached' });

    const { rows } = await admin.ask<{ rows: { kind: string; facts: { caseId?: string } }[] }>(
      'notifications.list',
      {},
    );
    expect(rows).toContainEqual(
      expect.objectContaining({
        kind: 'case-assigned',
        facts: expect.objectContaining({ caseId: id }),
      }),
    );
    const own = await testBrowser.open('admin', `/cases?show=mine&ticket=${ticket}`);
    await rowOf(own, ticket).getByText('High').waitFor();
  });

  test('a queue is chosen when a case is edited, filters the list, and the order is in the address', async () => {
    const { id, ticket } = await openCase('PLAN-3', { queue: 'Displays', dueAt: inHours(30) });
    const { ticket: earlier } = await openCase('PLAN-4', { dueAt: inHours(3), priority: 'urgent' });
    const page = await testBrowser.open('support', `/cases/${id}`);
    await page.getByRole('main').getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit case' });
    await dialog.getByLabel('Queue').fill('Lockers north');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.goto(`/cases?ticket=PLAN-&sort=due`);
    await rowOf(page, ticket).waitFor();
    const order = (await page.locator('main tbody tr').allInnerTexts()).map(
      (text) => /PLAN-\d/.exec(text)?.[0],
    );
    expect(order.indexOf(earlier)).toBeLessThan(order.indexOf(ticket));
    await page
      .getByRole('main')
      .getByRole('columnheader', { name: 'Priority' })
      .getByRole('button')
      .first()
      .press('Enter');
    await page.waitForURL(/sort=priority/);
    await page.goto('/cases?queue=lockers+north');
    await rowOf(page, ticket).waitFor();
    expect(await rowOf(page, earlier).count()).toBe(0);
  });
});
