import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { bodyRows, choose, heading, pressOutsideFields, searchParam } from '../../support/words.ts';

const testBrowser = openTestBrowser();
let admin: PortalClient;
let fleet: Fleet;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  fleet = await readFleet(admin);
});

const checkbox = (page: Page, index: number) => bodyRows(page).nth(index).getByRole('checkbox');

const serialNumbers = (page: Page): Promise<string[]> =>
  bodyRows(page).evaluateAll((rows) =>
    rows.map((row) => row.querySelector('a')?.textContent ?? ''),
  );

async function openList(person: 'admin' | 'support', path: string): Promise<Page> {
  const page = await testBrowser.open(person, path);
  await bodyRows(page).first().waitFor();
  return page;
}

describe('several devices', () => {
  test('all matches are selected across pages and passed to a command', async () => {
    const page = await openList('admin', '/devices?sort=serialNumber');
    const { count } = await admin.ask<{ count: number }>('devices.count', { filter: {} });
    await page.getByText(`1–25 of ${count}`).waitFor();
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).first().check({
      force: true,
    });
    await page.getByText('All 25 devices on this page are selected.').waitFor();
    await page.getByRole('button', { name: `Select all ${count} matches` }).click();
    await heading(page, `Devices (${count}/${count})`).waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText(/^26–/).waitFor();
    await page.getByText(`All ${count} matches are selected.`).waitFor();
    await choose(page, `Run command on all ${count} devices`, /^storage\/usage/);
    await page.waitForURL('**/commands/storage/usage?**');
    const { count: reached } = await admin.ask<{ count: number }>('commands.previewTarget', {
      command: 'storage/usage',
      target: { kind: 'filter', filter: {} },
    });
    await page.getByText(`${reached} devices`).first().waitFor();
  });

  test('deselecting a row of all matches leaves the other rows of the page selected', async () => {
    const page = await openList('admin', '/devices?sort=serialNumber');
    await choose(page, 'Actions', /^Select all \d+ matches$/);
    await page.getByText(/All \d+ matches are selected/).waitFor();
    await checkbox(page, 0).uncheck({ force: true });
    await heading(page, /^Devices \(24\//).waitFor();
  });

  test('two devices are compared at an address', async () => {
    const page = await openList('admin', '/devices?sort=serialNumber');
    const [one = '', other = ''] = await serialNumbers(page);
    await checkbox(page, 0).check({ force: true });
    await checkbox(page, 1).check({ force: true });
    await choose(page, 'Actions', 'Compare');
    const dialog = page.getByRole('dialog', { name: 'Compare 2 devices' });
    await dialog.getByRole('columnheader', { name: one }).waitFor();
    await dialog.getByRole('columnheader', { name: other }).waitFor();
    const all = await dialog.getByRole('row').count();
    await dialog.getByText('Differences only').click();
    const different = dialog.locator('tbody tr');
    await expect.poll(() => different.count()).toBeLessThan(all - 1);
    for (const text of await different.allTextContents()) expect(text).toContain('Differs');
    const again = await testBrowser.openTab(page, page.url());
    await again.getByRole('columnheader', { name: other }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(searchParam(page, 'compare')).toBeNull();
  });
});

describe('the default view', () => {
  test('opens automatically, gives way to an address, and can be removed', async () => {
    const page = await openList('support', '/devices?q=lifecycle%3Dactive');
    await page.getByRole('button', { name: /^Saved views/ }).click();
    await page.getByRole('option', { name: 'Degraded' }).click();
    await page.waitForURL((url) => url.searchParams.get('view') === 'builtin-degraded');
    const stored = page.waitForResponse((reply) => reply.url().includes('savePreferences'));
    await choose(page, 'View actions', 'Set Degraded as default view');
    await stored;
    await page.goto('/devices');
    await page.waitForURL((url) => url.searchParams.get('q') === 'connectivity=degraded');
    await page.goto('/devices?q=connectivity%3Donline');
    await page.getByText('Connection = Online').first().waitFor();
    expect(searchParam(page, 'q')).toBe('connectivity=online');
    await page.goto('/devices');
    await page.waitForURL((url) => url.searchParams.has('view'));
    const removed = page.waitForResponse((reply) => reply.url().includes('savePreferences'));
    await choose(page, 'View actions', 'Remove as default view');
    await removed;
    await page.goto('/devices');
    await bodyRows(page).first().waitFor();
    expect(searchParam(page, 'q')).toBeNull();
  });
});

describe('while the list is shown', () => {
  test('a row that would move keeps its position until the user refreshes', async () => {
    const page = await openList('admin', '/devices?sort=name');
    const before = await serialNumbers(page);
    const last = fleet.devices.find(({ serialNumber }) => serialNumber === before[20]);
    if (last === undefined) throw new Error('the row of the list is not part of the fleet');
    await using names = new AsyncDisposableStack();
    names.defer(async () => {
      await admin.order('devices.update', { id: last.id, name: last.name });
    });
    await admin.order('devices.update', { id: last.id, name: '000 first of all' });
    // Triggers the refresh that otherwise runs every half minute.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByText(/\d+ updates/).waitFor();
    await page.getByText('000 first of all').waitFor();
    expect(await serialNumbers(page)).toEqual(before);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect.poll(async () => (await serialNumbers(page))[0]).toBe(last.serialNumber);
    await page.getByText(/\d+ updates/).waitFor({ state: 'detached' });
  });
});

describe('navigation between devices', () => {
  test('j and k move along the list from which the device was opened, across its pages', async () => {
    const page = await openList('admin', '/devices?sort=serialNumber&q=lifecycle%3Dactive');
    const shown = await serialNumbers(page);
    await bodyRows(page).nth(23).getByRole('link').click();
    await heading(page, shown[23] ?? '').waitFor();
    await pressOutsideFields(page, 'j');
    await heading(page, shown[24] ?? '').waitFor();
    await page.getByRole('button', { name: 'Next device (j)' }).click();
    await heading(page, shown[24] ?? '').waitFor({ state: 'detached' });
    const beyond = await page.locator('main h1').textContent();
    expect(shown).not.toContain(beyond);
    await pressOutsideFields(page, 'k');
    await heading(page, shown[24] ?? '').waitFor();
    const trail = page.getByRole('navigation', { name: 'Breadcrumbs' });
    await trail.getByRole('link', { name: 'Devices', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get('q') === 'lifecycle=active');
  });

  test('a device opened by a link belongs to no list', async () => {
    const page = await testBrowser.open('admin', `/devices/${fleet.real.id}`);
    await page.getByText('No problem found').waitFor();
    expect(await page.getByRole('button', { name: 'Next device (j)' }).count()).toBe(0);
  });
});
