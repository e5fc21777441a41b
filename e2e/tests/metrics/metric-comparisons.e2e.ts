import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DeviceMetrics } from '@deviceportal/contract/device-metrics';
import { LEAST_BAND_DEVICES } from '@deviceportal/contract/model-band';
import { countActs } from '../../support/count-acts.ts';
import { readFleet, type KnownDevice } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { DEVICE_TIMEOUT_MS } from '../../support/timeouts.ts';

const testBrowser = openTestBrowser();
let fleet: readonly KnownDevice[];
let admin: PortalClient;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  fleet = await measuredDevices();
  // Devices send their first metrics some seconds after they connect.
  for (const endsAt = Date.now() + DEVICE_TIMEOUT_MS; Date.now() < endsAt;) {
    if (fleet.length >= LEAST_BAND_DEVICES) break;
    await sleep(1_000);
    fleet = await measuredDevices();
  }
});

/** Devices that other tests enroll are of a model, but send no metrics. */
async function measuredDevices(): Promise<KnownDevice[]> {
  const measured: KnownDevice[] = [];
  for (const device of (await readFleet(admin)).devices) {
    if (device.model !== null && (await hasMetrics(device))) measured.push(device);
  }
  return measured;
}

const DAY_MS = 86_400_000;

async function hasMetrics({ id }: KnownDevice): Promise<boolean> {
  const [from, to] = [Date.now() - DAY_MS, Date.now()].map((at) => new Date(at).toISOString());
  const { series } = await admin.ask<Pick<DeviceMetrics, 'series'>>('deviceMetrics.get', {
    ...{ deviceId: id, from, to, metrics: ['cpuUsedPercent'] },
  });
  return series.length > 0;
}

const chart = (page: Page, name: string) => page.getByRole('figure', { name });

/** A device of the model with the most devices that send metrics, or with the fewest. */
function deviceOfModel(which: 'most' | 'fewest'): KnownDevice {
  const models = [...Map.groupBy(fleet, ({ model }) => model).values()].toSorted(
    (one, other) => one.length - other.length,
  );
  const [device] = (which === 'most' ? models.at(-1) : models[0]) ?? [];
  if (device === undefined) throw new Error('no device of a model sends metrics');
  return device;
}

const modelSize = ({ model }: KnownDevice): number =>
  fleet.filter((device) => device.model === model).length;

describe('metrics of a device compared with others', () => {
  test('show the band of the model, or say that there are too few devices', async () => {
    for (const which of ['most', 'fewest'] as const) {
      const device = deviceOfModel(which);
      const page = await testBrowser.open('admin', `/devices/${device.id}?tab=metrics`);
      await chart(page, 'CPU').waitFor({ timeout: DEVICE_TIMEOUT_MS });
      await page.getByLabel('Compare with the model').click();
      await page.waitForURL(/model=true/);
      if (modelSize(device) < LEAST_BAND_DEVICES) {
        await page.getByText(`Too few devices of model ${device.model}`).waitFor();
        continue;
      }
      await page.getByText(`of model ${device.model}. Gray area`).waitFor();
      await chart(page, 'CPU')
        .getByText(/^Model: /)
        .waitFor();
      await page.getByRole('button', { name: 'Show as table' }).click();
      await page.getByRole('columnheader', { name: 'CPU, median of the model' }).waitFor();
    }
  });

  test('show another device that the address names, until none is selected', async () => {
    const device = deviceOfModel('most');
    const other = fleet.find(({ id, model }) => model === device.model && id !== device.id);
    const serialNumber = other?.serialNumber ?? '';
    const page = await testBrowser.open(
      'admin',
      `/devices/${device.id}?tab=metrics&with=${serialNumber}`,
    );
    await page.getByText(`Dashed orange line: ${serialNumber}.`).waitFor({
      timeout: DEVICE_TIMEOUT_MS,
    });
    await chart(page, 'CPU').getByText(`${serialNumber}: `).waitFor({ timeout: DEVICE_TIMEOUT_MS });
    // With few devices, none may be healthy.
    await page.getByRole('button', { name: /Compare with a healthy device/ }).click();
    await page.getByRole('option', { name: 'No device' }).click();
    await page.waitForURL((url) => !url.searchParams.has('with'));
    expect(await chart(page, 'CPU').getByText(`${serialNumber}: `).count()).toBe(0);
  });

  test('list what changed, and lead to the hours around it', async () => {
    const { rows } = await admin.ask<{ rows: KnownDevice[] }>('devices.list', {
      // Faults of the simulated devices begin hours before their enrollment.
      filter: {
        tokens: [{ key: 'failing', operator: '=', values: ['disk', 'memory', 'clock', 'network'] }],
      },
      pageSize: 10,
    });
    const device = rows.find(({ serialNumber }) => serialNumber !== null);
    if (device === undefined) throw new Error('no device has a fault');
    const page = await testBrowser.open('admin', `/devices/${device.id}`);
    await page.getByRole('tab', { name: 'Metrics' }).waitFor();
    const acts = await countActs(page);
    await page.getByRole('tab', { name: 'Metrics' }).click();
    const changes = page.getByRole('region', { name: 'What changed before this' });
    await changes
      .getByText(/ (rose|fell) from .* to /)
      .first()
      .waitFor({ timeout: DEVICE_TIMEOUT_MS });
    await changes
      .getByRole('button', { name: /^Show this change: / })
      .first()
      .click();
    await page.waitForURL(/from=.*to=/);
    await chart(page, 'CPU').waitFor();
    expect(acts.clicks).toBeLessThanOrEqual(2);
  });
});
