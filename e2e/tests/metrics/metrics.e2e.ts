import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { countActs } from '../../support/count-acts.ts';
import { readFleet, type SerialDevice } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { DEVICE_TIMEOUT_MS } from '../../support/timeouts.ts';

const COMMAND = 'storage/usage';

const testBrowser = openTestBrowser();
let device: SerialDevice;
beforeAll(async () => {
  const admin = await PortalClient.signIn('admin');
  device = (await readFleet(admin)).takeOnline();
  await admin.order('commands.run', {
    command: COMMAND,
    target: { kind: 'devices', deviceIds: [device.id] },
    idempotencyKey: randomUUID(),
  });
});

const chart = (page: Page, name: string) => page.getByRole('figure', { name });

async function openMetrics(address = ''): Promise<Page> {
  const page = await testBrowser.open('admin', `/devices/${device.id}?tab=metrics${address}`);
  await chart(page, 'Disk used').waitFor({ timeout: DEVICE_TIMEOUT_MS });
  return page;
}

describe('metrics of a device', () => {
  test('are next to the command that changed them after at most two clicks', async () => {
    await openMetrics();
    const page = await testBrowser.open('admin', `/devices/${device.id}`);
    await page.getByRole('tab', { name: 'Metrics' }).waitFor();
    const acts = await countActs(page);
    await page.getByRole('tab', { name: 'Metrics' }).click();
    await chart(page, 'Disk used').waitFor();
    await page
      .getByRole('list', { name: /^Commands, events/ })
      .getByRole('link', { name: COMMAND })
      .first()
      .waitFor();
    // A chart draws the same command as a line with its name.
    await chart(page, 'Disk used')
      .locator('title', { hasText: COMMAND })
      .first()
      .waitFor({ state: 'attached' });
    expect(acts.clicks).toBeLessThanOrEqual(2);
  });

  test('are zoomed by dragging, and the address keeps the time range', async () => {
    const page = await openMetrics();
    const box = await chart(page, 'CPU').getByRole('img').boundingBox();
    if (box === null) throw new Error('the chart is not shown');
    await page.mouse.move(box.x + box.width * 0.6, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, box.y + 40, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/from=.*to=/);
    const { searchParams } = new URL(page.url());
    const hours =
      (Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')) /
      3_600_000;
    expect(hours).toBeGreaterThan(4);
    expect(hours).toBeLessThan(5.5);
    await page.reload();
    await page.getByRole('button', { name: 'Back to 1 day' }).click();
    await page.waitForURL((url) => !url.search.includes('from='));
  });

  test('have the same values as a table, and a time range without pointer', async () => {
    const page = await openMetrics();
    await page.getByRole('button', { name: '7 days' }).click();
    await page.waitForURL(/range=7d/);
    await page.getByRole('button', { name: 'Show as table' }).click();
    const table = page.getByRole('region', { name: 'Show as table' }).getByRole('table');
    await table.getByRole('columnheader', { name: 'CPU' }).waitFor();
    expect(await table.getByRole('row').count()).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.waitForURL(/from=.*to=/);
  });

  test('explain an empty time range and lead back to the last values', async () => {
    const page = await testBrowser.open(
      'admin',
      `/devices/${device.id}?tab=metrics&from=2020-01-01T00:00:00.000Z&to=2020-01-02T00:00:00.000Z`,
    );
    await page.getByText('No metrics in this time range').waitFor();
    await page.getByRole('button', { name: 'Show the last metrics' }).click();
    await chart(page, 'CPU').waitFor();
  });
});
