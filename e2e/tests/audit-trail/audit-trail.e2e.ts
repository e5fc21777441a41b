import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Download } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { readFleet, type SerialDevice } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { choose, rowOf, searchParam } from '../../support/words.ts';

const testBrowser = openTestBrowser();
let admin: PortalClient;
let device: SerialDevice;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  device = (await readFleet(admin)).takeOnline();
  await admin.order('devices.suspend', { id: device.id, reason: 'a check' });
  await admin.order('devices.resume', { id: device.id, reason: '' });
  await admin.order('devices.addNote', { deviceId: device.id, text: 'Looked at it' });
});

describe('the audit trail', () => {
  test('lists actions on a device, with the filter in the address', async () => {
    const page = await testBrowser.open(
      'admin',
      `/audit-trail/device?device=${device.serialNumber}`,
    );
    for (const event of ['Device suspended', 'Device resumed', 'Note added'])
      await rowOf(page, event).first().waitFor();
    const serialNumbers = await page
      .locator('main table tbody tr a[href^="/devices/"]')
      .allTextContents();
    expect(new Set(serialNumbers)).toEqual(new Set([device.serialNumber]));
    await page
      .getByRole('button', { name: /^Show event Device suspended/ })
      .first()
      .click();
    await page.waitForURL((url) => url.searchParams.has('sel'));
    const shared = await testBrowser.openTab(page, page.url());
    await shared.getByText('a check').first().waitFor();
  });

  test('offers new events live, without a reload', async () => {
    const page = await testBrowser.open(
      'admin',
      `/audit-trail/device?device=${device.serialNumber}`,
    );
    await rowOf(page, 'Note added').first().waitFor();
    await page.getByRole('checkbox', { name: 'Live' }).check();
    await page.waitForURL(() => searchParam(page, 'live') !== null);
    await admin.order('devices.update', { id: device.id, name: 'Renamed while watched' });
    await page
      .getByText(/1 new event|edited name/)
      .first()
      .waitFor();
  });

  test('an export downloads, and its SHA-256 matches the manifest', async () => {
    const page = await testBrowser.open(
      'admin',
      `/audit-trail/device?device=${device.serialNumber}`,
    );
    await rowOf(page, 'Note added').first().waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export finished' });
    await dialog.waitFor();
    const download = async (button: string): Promise<Buffer> => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: button }).click(),
      ]);
      return readFile(await file.path());
    };
    const bytes = await download('Download file');
    const manifest = JSON.parse((await download('Download manifest')).toString()) as {
      sha256: string;
    };
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(manifest.sha256).toBe(sha256);
    await dialog.getByText(sha256).waitFor();
    expect(bytes.toString()).toContain(device.serialNumber);
  });

  test('an event shows values before and after, and its filter is saved as a view', async () => {
    const model = `Till ${Date.now().toString(36)}`;
    await admin.order('devices.update', { id: device.id, hardwareRevision: model });
    const page = await testBrowser.open(
      'admin',
      `/audit-trail/device?device=${device.serialNumber}`,
    );
    await page
      .getByRole('button', { name: /^Show event Device edited/ })
      .first()
      .click();
    const changed = page.getByRole('row', { name: /hardwareRevision/ });
    await changed.getByText(model).waitFor();
    const name = `Edits ${model}`;
    await choose(page, 'View actions', 'Save as new view');
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.waitForURL((url) => url.searchParams.has('view'));
    const bare = await testBrowser.openTab(page, '/audit-trail');
    await bare.waitForURL('**/audit-trail/device');
    await bare.getByRole('button', { name: /^Saved views/ }).click();
    await bare.getByRole('option', { name }).click();
    await bare.waitForURL((url) => (url.searchParams.get('q') ?? '').includes('device='));
    await rowOf(bare, 'Device edited').first().waitFor();
  });

  test('the browser verifies the whole trail, and an export with its proof', async () => {
    const page = await testBrowser.open(
      'admin',
      `/audit-trail/device?device=${device.serialNumber}`,
    );
    await rowOf(page, 'Note added').first().waitFor();
    const chooseExport = async (item: string): Promise<void> => {
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await chooseExport('Export as CSV');
    const made = page.getByRole('dialog').filter({ hasText: 'Export finished' });
    const downloaded = async (button: string): Promise<Download> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        made.getByRole('button', { name: button }).click(),
      ]);
      return download;
    };
    const download = await downloaded('Download proof');
    const manifest = await downloaded('Download manifest');
    const path = await download.path();
    await made.getByRole('button', { name: 'Close' }).click();
    await chooseExport('Verify the trail or an export');
    const check = page.getByRole('dialog').filter({ hasText: 'Verify the audit trail' });
    await check.getByRole('button', { name: 'Verify the whole trail' }).click();
    await check.getByText('Audit trail verified').waitFor();
    const buffer = await readFile(path);
    const file = { name: download.suggestedFilename(), mimeType: 'text/plain' };
    const withManifest = async (change: (text: string) => string): Promise<void> => {
      const text = await readFile(await manifest.path(), 'utf8');
      const manifestFile = { name: manifest.suggestedFilename(), mimeType: 'application/json' };
      await check.locator('input[type="file"]').setInputFiles([
        { ...file, buffer },
        { ...manifestFile, buffer: Buffer.from(change(text)) },
      ]);
    };
    await withManifest((text) => text);
    await check.getByText('Proof valid').waitFor();
    await check.getByText('Trusted keys, as published by this server').waitFor();
    await check.getByText('manifest.json matches the exported file').waitFor();
    await check.getByRole('button', { name: 'Remove file 2' }).click();
    await check.getByRole('button', { name: 'Remove file 1' }).click();
    await withManifest((text) => text.replace('"order"', '"Order"'));
    await check.getByText('manifest.json does not match the exported file').waitFor();
    await check.getByRole('button', { name: 'Remove file 2' }).click();
    const text = buffer.toString().replace('Looked at it', 'Overlooked it');
    await check.getByRole('button', { name: 'Remove file 1' }).click();
    await check
      .locator('input[type="file"]')
      .setInputFiles({ ...file, buffer: Buffer.from(text.replace('device.note', 'device.nope')) });
    await check.getByText('Proof not valid').waitFor();
  });
});
