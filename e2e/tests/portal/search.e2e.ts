import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading } from '../../support/words.ts';

const testBrowser = openTestBrowser();
let admin: PortalClient;
let fleet: Fleet;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  fleet = await readFleet(admin);
});

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill(text);
}

const firstOption = (page: Page) => page.locator('#palette-item-0');

const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** Two letters of a shorter name, swapped, can make another name. */
function ownerWithLongName(): { readonly id: string; readonly name: string } {
  const found = fleet.devices.find(({ owner }) => owner !== null && /\p{L}{5,}$/u.test(owner.name));
  if (found?.owner == null) throw new Error('no owner has a family name of five letters');
  return found.owner;
}

describe('requests', () => {
  test('a command and a device open the form of the command for this device', async () => {
    const page = await testBrowser.open('operator', '/');
    const device = fleet.takeOnline();
    for (const words of ['restart', '重启']) {
      await search(page, `${words} ${device.serialNumber}`);
      await firstOption(page).getByText(`Run restart/device on ${device.serialNumber}`).waitFor();
      await page.keyboard.press('Escape');
    }
    await search(page, `reboot ${device.serialNumber}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/commands/restart/device?device=${device.id}`);
  });

  test('without the right to run the command, the device itself is found', async () => {
    const page = await testBrowser.open('viewer', '/');
    const device = fleet.takeOnline();
    await search(page, `restart ${device.serialNumber}`);
    await firstOption(page).getByText(device.serialNumber).waitFor();
    await expect.poll(() => page.getByRole('option', { name: / on / }).count()).toBe(0);
  });

  test('"reboot" finds the command and is not corrected to another word', async () => {
    const page = await testBrowser.open('operator', '/');
    await search(page, 'reboot');
    await firstOption(page).getByText('Run restart/device').waitFor();
    expect(await page.getByText('No exact match').count()).toBe(0);
  });

  test('a state and a country open the filtered list, with the number of devices', async () => {
    const page = await testBrowser.open('operator', '/');
    await search(page, '离线 德国');
    await firstOption(page).getByText('Devices: Offline · Germany').waitFor();
    await page.keyboard.press('Escape');
    await search(page, 'offline germany');
    await firstOption(page)
      .getByText(/^\d+ devices?$/)
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('q') === 'connectivity=offline;country=DE');
    await heading(page, /^Devices/).waitFor();
  });
});

describe('similar names', () => {
  test('a person is found by a name and an address with typing errors, with the reason', async () => {
    const page = await testBrowser.open('admin', '/');
    const { id, name } = ownerWithLongName();
    const { email } = await admin.ask<{ email: string }>('people.get', { id });
    await search(page, withoutAccents(name).replace(/(.)(.)$/, '$2$1'));
    await firstOption(page).getByText(name).waitFor();
    await page.getByText(/Showing similar results/).waitFor();
    await page.keyboard.press('Escape');
    await search(page, email.replace(/.$/, 'x'));
    await firstOption(page).getByText(name).waitFor();
    await firstOption(page).getByText('Similar spelling').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/people/${id}`);
  });

  test('a device is found by its name without accents', async () => {
    const device = fleet.takeOnline();
    const mark = randomUUID().slice(0, 8);
    await admin.order('devices.update', { id: device.id, name: `schließfach-köln-${mark}` });
    const page = await testBrowser.open('operator', '/');
    await search(page, `schliessfach-koln-${mark}`);
    await firstOption(page)
      .getByText(device.serialNumber ?? '')
      .waitFor();
  });
});
