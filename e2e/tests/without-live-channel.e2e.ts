import { beforeAll, expect, test } from 'vitest';
import { readFleet, type SerialDevice } from '../support/fleet.ts';
import { openWithoutLiveChannel, passTime } from '../support/without-live-channel.ts';
import { PortalClient } from '../support/portal-client.ts';
import { openStage } from '../support/stage.ts';

const stage = openStage();
let admin: PortalClient;
let device: SerialDevice;

beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  device = (await readFleet(admin)).takeOnline();
});

test('without the live channel a device page follows by asking, and says that it does', async () => {
  const page = await openWithoutLiveChannel(stage, `/devices/${device.id}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.dp-timeline li').first().waitFor();
  const name = `Kiosk ${Date.now()}`;
  await admin.order('devices.update', { id: device.id, name });
  await admin.order('devices.addNote', { deviceId: device.id, text: 'Looked at its panel' });
  await passTime(page, 35);
  await page.getByText(name).first().waitFor();
  await page.locator('.dp-timeline').getByText('Note added').first().waitFor();
  await page.getByText('Live updates are off.', { exact: false }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});
