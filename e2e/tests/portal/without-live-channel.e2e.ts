import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  ANSWER_MS,
  notice,
  openCutBrowser,
  passInterval,
  type CutBrowser,
} from '../../support/cut-browser.ts';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';

let browser: CutBrowser;
let admin: PortalClient;
let fleet: Fleet;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  fleet = await readFleet(admin);
  browser = await openCutBrowser('admin');
});
beforeEach(() => browser.reset());
afterAll(() => browser[Symbol.asyncDispose]());

test('without the live channel pages report it and stay up to date, and are live again afterwards', async () => {
  const device = fleet.takeOnline();
  const roles = await browser.open('/uam/roles');
  const page = await browser.open(`/devices/${device.id}?tab=events`);
  await expect.poll(() => browser.proxy.liveConnections()).toBe(1);
  expect(await notice(page).count()).toBe(0);

  await browser.cut();
  await admin.order('devices.update', { id: device.id, name: 'Renamed in silence' });
  await admin.order('devices.addNote', { deviceId: device.id, text: 'Said in silence' });
  const name = `Silent ${Date.now()}`;
  const role = await admin.order<{ id: string }>('access.roles.create', {
    name,
    permissions: ['devices:read'],
    scope: { countries: [], models: [], labels: {} },
  });
  await Promise.all([passInterval(page), passInterval(roles)]);
  const shown = [
    page.getByText('Renamed in silence').first(),
    page.getByRole('main').getByText('Note added').first(),
    roles.getByRole('main').getByText(name).first(),
  ];
  await Promise.all(shown.map((each) => each.waitFor({ timeout: ANSWER_MS })));

  await admin.order('devices.update', { id: device.id, name: 'Renamed just before' });
  await browser.mend(page);
  // Immediately, and not with the next poll.
  await page.getByText('Renamed just before').first().waitFor({ timeout: ANSWER_MS });
  await notice(page).waitFor({ state: 'detached' });
  await admin.order('devices.update', { id: device.id, name: device.name });
  await page.getByText('Renamed just before').first().waitFor({ state: 'detached' });
  await admin.order('access.roles.delete', { id: role.id });
});
