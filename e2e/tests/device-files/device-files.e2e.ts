import { createHash } from 'node:crypto';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, crc32 } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import { findViolations } from '../../support/accessibility.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { startRealAgent } from '../../support/real-agent.ts';
import { signInNewUser } from '../../support/sign-in-new-user.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { DEVICE_TIMEOUT_MS } from '../../support/timeouts.ts';
import { pressOutsideFields } from '../../support/words.ts';

const TEST_LIMIT_MS = 240_000;
const testBrowser = openTestBrowser();
const serialNumber = `FILES-${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
const resources = new AsyncDisposableStack();
let admin: PortalClient;
let deviceId = '';
let folder = '';

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'dp-e2e-files-')));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'kiosk.log'), 'first line\n'.padEnd(200_000, 'x\n') + 'last line\n');
  await writeFile(
    join(folder, 'page.html'),
    '<h1>not a page</h1><script>document.title="bad"</script>',
  );
  await writeFile(join(folder, 'screen.png'), png());
  admin = await PortalClient.signIn('admin');
  await admin.order('access.roles.create', {
    name: 'File user',
    permissions: ['devices:read', 'files:read', 'files:write'],
    scope: everywhere,
  });
  const claim = await admin.order<{ token: string }>('devices.createClaim', { uses: 1 });
  const env = { DEVICEPORTAL_AGENT_FILES: `${folder}:rw` };
  const agent = await startRealAgent(claim.token, serialNumber, env);
  resources.use(agent);
  const endsAt = Date.now() + DEVICE_TIMEOUT_MS;
  while (deviceId === '' && Date.now() < endsAt) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const found = await admin
      .ask<{ id: string; connectivity: string }>('devices.get', { device: serialNumber })
      .catch(() => undefined);
    if (found?.connectivity === 'online' || found?.connectivity === 'degraded') deviceId = found.id;
  }
}, TEST_LIMIT_MS);
afterAll(() => resources.disposeAsync());

/** A picture of one red pixel. */
function png(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, 255, 0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

interface Words {
  readonly reason: string;
  readonly show: string;
}

async function openFolder(page: Page, { reason, show }: Words): Promise<void> {
  const path = encodeURIComponent(folder);
  await page.goto(`/devices/${deviceId}?tab=files&path=${path}`);
  await page.getByRole('textbox', { name: reason }).fill('Check the log');
  await page.getByRole('button', { name: show }).click();
  await page
    .getByRole('button', { name: 'kiosk.log', exact: true })
    .waitFor({ timeout: DEVICE_TIMEOUT_MS });
}

const english = { reason: 'Reason', show: 'Show files' };

describe('files of a device', () => {
  test(
    'are listed by the address, viewed, downloaded, and uploaded',
    async () => {
      const look = { theme: 'light', density: 'comfortable', language: 'en' } as const;
      const page = await signInNewUser(testBrowser, admin, { role: 'File user', look });
      await openFolder(page, english);
      expect(await findViolations(page)).toEqual([]);
      await pressOutsideFields(page, 'h');
      await page.getByRole('link', { name: 'Guide: Files of devices' }).waitFor();
      await pressOutsideFields(page, 'h');

      await page.getByRole('button', { name: 'kiosk.log', exact: true }).click();
      await page
        .locator('.dp-file-text')
        .getByText('first line')
        .waitFor({ timeout: DEVICE_TIMEOUT_MS });
      await page.getByRole('button', { name: 'End', exact: true }).click();
      await page
        .locator('.dp-file-text')
        .getByText('last line')
        .waitFor({ timeout: DEVICE_TIMEOUT_MS });
      expect(await findViolations(page)).toEqual([]);

      await page.getByRole('button', { name: 'page.html', exact: true }).click();
      await page
        .locator('.dp-file-text')
        .getByText('<h1>not a page</h1>')
        .waitFor({ timeout: DEVICE_TIMEOUT_MS });
      expect(await page.title()).not.toBe('bad');
      await page.getByRole('button', { name: 'screen.png', exact: true }).click();
      const image = page.locator('.dp-file-image');
      await image.waitFor({ timeout: DEVICE_TIMEOUT_MS });
      expect(await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1);

      const downloading = page.waitForEvent('download', { timeout: DEVICE_TIMEOUT_MS });
      await page.getByRole('button', { name: 'Download kiosk.log' }).click();
      const downloaded = await readFile(await (await downloading).path());
      expect(downloaded.equals(await readFile(join(folder, 'kiosk.log')))).toBe(true);
      await page.getByText(/^kiosk\.log received from the device/).waitFor();

      await page.getByRole('button', { name: 'Upload file' }).click();
      const dialog = page.getByRole('dialog');
      const content = Buffer.alloc(3_000_000, 'upload ');
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'new.bin', mimeType: 'application/octet-stream', buffer: content });
      await dialog.getByRole('button', { name: 'Upload file' }).click();
      await page
        .getByText(/^new\.bin written to the device/)
        .waitFor({ timeout: DEVICE_TIMEOUT_MS });
      expect(digest(await readFile(join(folder, 'new.bin')))).toBe(digest(content));
      expect(await findViolations(page)).toEqual([]);
    },
    TEST_LIMIT_MS,
  );

  test(
    'are understood in Chinese, in the dark theme, and on a narrow screen',
    async () => {
      const look = { theme: 'dark', density: 'compact', language: 'zh-CN' } as const;
      const page = await signInNewUser(testBrowser, admin, { role: 'File user', look });
      await page.setViewportSize({ width: 390, height: 844 });
      await openFolder(page, { reason: '原因', show: '显示文件' });
      await page.getByRole('button', { name: 'kiosk.log', exact: true }).click();
      await page
        .locator('.dp-file-text')
        .getByText('first line')
        .waitFor({ timeout: DEVICE_TIMEOUT_MS });
      expect(await findViolations(page)).toEqual([]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(390);
    },
    TEST_LIMIT_MS,
  );

  test('are not offered without the permission, not even to administrators', async () => {
    const page = await testBrowser.open('admin', `/devices/${deviceId}?tab=raw`);
    await page.getByRole('tab', { name: 'More' }).waitFor();
    expect(await page.getByRole('button', { name: 'Files', exact: true }).count()).toBe(0);
  });
});

const digest = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
