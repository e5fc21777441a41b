import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { startRealAgent } from '../../support/real-agent.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { bodyRows, choose, heading, rowOf, searchParam } from '../../support/words.ts';
import { DEVICE_TIMEOUT_MS } from '../../support/timeouts.ts';

/** Unique, because the server may contain views of earlier test runs. */
const VIEW = `Online at ${Date.now()}`;
const SERIAL_NUMBER = `SN-E2E-${Date.now()}`;

const testBrowser = openTestBrowser();
let admin: PortalClient;
let fleet: Fleet;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  fleet = await readFleet(admin);
});

async function search(page: Page, text: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Search devices' });
  await field.fill(text);
  await field.press('Enter');
}

const firstColumn = (page: Page): Promise<string[]> =>
  bodyRows(page).evaluateAll((rows) =>
    rows.map((row) => row.querySelector('th, td:nth-child(2)')?.textContent ?? ''),
  );

describe('finding devices', () => {
  test('a device is found by serial number, part of it, label, and owner', async () => {
    const device = fleet.owned;
    const { serialNumber } = device;
    const label = Object.values(device.labels)[0] ?? '';
    const page = await testBrowser.open('admin', '/devices');
    for (const text of [serialNumber, serialNumber.slice(2), label, device.owner.name]) {
      await search(page, text);
      await page.waitForURL((url) => url.searchParams.get('q')?.includes(text) === true);
      await rowOf(page, serialNumber).first().waitFor();
      await page.getByRole('button', { name: 'Clear filter', exact: true }).first().click();
      await page.waitForURL((url) => !url.searchParams.has('q'));
    }
  });

  test('the address contains filter and order, so that it shows the same list to another user', async () => {
    const page = await testBrowser.open('admin', '/devices?q=connectivity%3Donline');
    // The header exists twice, once hidden below its sticky copy, which comes first in the
    // document.
    await page.locator('main thead').getByText('Serial number').first().click();
    await page.waitForURL((url) => url.searchParams.get('sort') === 'serialNumber');
    await page.waitForFunction(
      () => document.querySelector('main th[aria-sort="ascending"]') !== null,
    );
    const other = await testBrowser.openTab(page, page.url());
    await bodyRows(other).first().waitFor();
    await other.getByText('Connection = Online').first().waitFor();
    const serialNumbers = await firstColumn(other);
    expect(serialNumbers).toEqual(await firstColumn(page));
    const sorted = serialNumbers.filter((text) => text.startsWith('SN'));
    expect(sorted).toEqual(sorted.toSorted());
  });

  test('next and previous pages contain different devices', async () => {
    const page = await testBrowser.open('admin', '/devices?sort=serialNumber');
    await bodyRows(page).first().waitFor();
    const first = await firstColumn(page);
    await page.getByRole('button', { name: 'Next page' }).click();
    await rowOf(page, first[0] ?? '').waitFor({ state: 'detached' });
    const second = await firstColumn(page);
    expect(second.filter((text) => first.includes(text))).toEqual([]);
    await page.getByRole('button', { name: 'Previous page' }).click();
    await rowOf(page, first[0] ?? '').waitFor();
    expect(await firstColumn(page)).toEqual(first);
  });

  test('a filter without matches can be cleared with one press', async () => {
    const page = await testBrowser.open('admin', '/devices?q=serialNumber%3DSN-NOBODY-HAS-THIS');
    await page.getByText('No matches').first().waitFor();
    await page.getByRole('button', { name: 'Clear filter', exact: true }).last().click();
    await bodyRows(page).first().waitFor();
  });

  test('pasted serial numbers become a list in the address, and unknown ones are reported', async () => {
    const page = await testBrowser.open('admin', '/devices');
    const one = fleet.takeOnline();
    await bodyRows(page).first().waitFor();
    await choose(page, 'Actions', 'Find by serial numbers');
    await page
      .getByRole('textbox', { name: 'Serial numbers' })
      .fill(`${one.serialNumber}\nSN99999999`);
    await page.getByRole('button', { name: 'Show 2 devices' }).click();
    await page.getByText('1 of 2 found').first().waitFor();
    expect(searchParam(page, 'targets')).toMatch(/[0-9a-f-]{10,}/);
    await page.getByText('1 serial number doesn’t match any device').click();
    await page.getByText('SN99999999').first().waitFor();
    await rowOf(page, one.serialNumber).waitFor();
    expect(await bodyRows(page).count()).toBe(1);
  });
});

describe('serial numbers pasted from a spreadsheet', () => {
  const PASTED_UNKNOWN = 'NEVER-MADE-1';
  const openedAsList = async (page: Page): Promise<void> => {
    await page.waitForURL((url) => url.searchParams.has('targets'));
    await page.getByText('1 of 2 found').waitFor();
    await page.getByText('1 serial number doesn’t match any device').waitFor();
    await rowOf(page, fleet.owned.serialNumber).waitFor();
  };

  test('become a list in the search field of the device list', async () => {
    const page = await testBrowser.open('operator', '/devices');
    await bodyRows(page).first().waitFor();
    await search(page, `${fleet.owned.serialNumber}\n${PASTED_UNKNOWN}`);
    await openedAsList(page);
  });

  test('open as a list in the search of the portal', async () => {
    const page = await testBrowser.open('operator', '/');
    await page.keyboard.press('Control+k');
    await page
      .getByRole('combobox', { name: 'Search' })
      .fill(`${fleet.owned.serialNumber}\n${PASTED_UNKNOWN}`);
    await page.getByRole('option', { name: 'Open 2 devices as a list' }).click();
    await openedAsList(page);
  });
});

describe('list preferences', () => {
  test('selected columns are kept after a reload', async () => {
    const page = await testBrowser.open('operator', '/devices');
    await bodyRows(page).first().waitFor();
    await page.getByRole('button', { name: 'Table settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Table settings' });
    await dialog.getByRole('checkbox', { name: 'Agent version' }).check({ force: true });
    const stored = page.waitForResponse((reply) => reply.url().includes('savePreferences'));
    await dialog.getByRole('button', { name: 'Save' }).click();
    await stored;
    await page.reload();
    await page.getByRole('columnheader', { name: 'Agent version' }).first().waitFor();
  });

  test('a saved view restores its filter', async () => {
    const page = await testBrowser.open('operator', '/devices?q=connectivity%3Donline');
    await bodyRows(page).first().waitFor();
    await choose(page, 'View actions', 'Save as new view');
    await page.getByRole('textbox', { name: 'Name' }).fill(VIEW);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.has('view'));
    await page.goto('/devices');
    await bodyRows(page).first().waitFor();
    await page.getByRole('button', { name: /^Saved views/ }).click();
    await page.getByRole('option', { name: VIEW }).click();
    await page.waitForURL((url) => url.searchParams.get('q') === 'connectivity=online');
  });

  test('a dialog focuses its first field, and a name with a space can be typed immediately', async () => {
    const page = await testBrowser.open('operator', '/devices?q=connectivity%3Donline');
    await bodyRows(page).first().waitFor();
    await choose(page, 'View actions', 'Save as new view');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Typed at once');
    expect(await name.inputValue()).toBe('Typed at once');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.has('view'));
  });

  test('the split panel shows the selected device next to the list', async () => {
    const page = await testBrowser.open('admin', '/devices');
    const device = fleet.takeOnline();
    await admin.order('devices.addNote', { deviceId: device.id, text: 'Looked at its panel' });
    await search(page, device.serialNumber);
    await rowOf(page, device.serialNumber).waitFor();
    await rowOf(page, device.serialNumber).getByRole('checkbox').click();
    await choose(page, 'Actions', 'Show summary');
    await page.getByRole('link', { name: 'Open device' }).waitFor();
    expect(searchParam(page, 'sel')).toBe(device.id);
    // Later events of the device may have displaced its connection from the last three.
    await page
      .getByText(/^Note added/)
      .first()
      .waitFor();
  });
});

describe('live updates', () => {
  test('a change of another user appears without a reload', async () => {
    const device = await fleet.takeWell();
    const page = await testBrowser.open(
      'admin',
      `/devices?q=serialNumber%3D${device.serialNumber}`,
    );
    await rowOf(page, device.serialNumber).getByText('Online').waitFor();
    await admin.order('devices.suspend', { id: device.id, reason: '' });
    await rowOf(page, device.serialNumber).getByText('Online').waitFor({ state: 'detached' });
    await rowOf(page, device.serialNumber)
      .getByText(/Offline|Suspended/)
      .first()
      .waitFor();
    await admin.order('devices.resume', { id: device.id, reason: '' });
    await rowOf(page, device.serialNumber).getByText('Online').waitFor();
  });

  test('an empty list fills when a device matches', async () => {
    const device = await fleet.takeWell();
    const name = `awaited-${Date.now()}`;
    const page = await testBrowser.open('admin', `/devices?q=${name}`);
    await page.getByText('No matches').waitFor();
    await admin.order('devices.update', { id: device.id, name });
    await rowOf(page, device.serialNumber).waitFor();
    await heading(page, /Devices \(1\)/).waitFor();
    await admin.order('devices.update', { id: device.id, name: device.name });
  });
});

describe('adding devices', () => {
  test('a claim is created, an agent starts with its token, and the device becomes online', async () => {
    const page = await testBrowser.open('admin', '/devices');
    await bodyRows(page).first().waitFor();
    await page.getByRole('button', { name: 'Add device' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add device' });
    await dialog.getByRole('textbox', { name: 'Serial number' }).fill(SERIAL_NUMBER);
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Kiosk of the tests');
    await dialog.getByRole('button', { name: 'Create claim' }).click();
    await dialog.getByText('Claim created').first().waitFor();
    const command = await dialog.locator('code, pre').first().textContent();
    const token = await dialog
      .locator('.dp-copy-line')
      .nth(1)
      .locator('code, pre, span')
      .first()
      .textContent();
    expect(command).toContain((token ?? '').trim());
    await dialog.getByRole('link', { name: 'Open device' }).click();
    await heading(page, SERIAL_NUMBER).waitFor();
    await page.getByText('Never connected').first().waitFor();
    await using _agent = await startRealAgent((token ?? '').trim());
    await page.getByText('No problem found').waitFor({ timeout: DEVICE_TIMEOUT_MS });
    await page.getByText('Online').first().waitFor();
  });
});
