import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepScreenshots } from './keep-screenshots.ts';
import type { Screens } from './open-screens.ts';
import { openUserScreens } from './open-user-screens.ts';
import { startAgent } from './start-agent.ts';

const USER = 'support@deviceportal.local';
const SERIAL_NUMBER = 'KIOSK-1042';
const HOUR_MS = 3_600_000;

/** A folder of a real agent, and the beginning of a log in it. */
export async function takeDeviceFiles(taken: Screens): Promise<void> {
  const { url, admin, screens } = await openUserScreens(taken, USER, {
    name: 'Files',
    permissions: ['files:read', 'files:write'],
  });
  await using resources = new AsyncDisposableStack();
  // Shown in the picture, so it has no random name.
  const kiosk = join(tmpdir(), 'kiosk');
  await mkdir(kiosk);
  resources.defer(() => rm(kiosk, { recursive: true, force: true }));
  const root = join(kiosk, 'logs');
  await mkdir(root);
  await writeFiles(root);
  const agent = resources.use(
    await startAgent(admin, url, {
      ...{ serialNumber: SERIAL_NUMBER },
      env: { DEVICEPORTAL_AGENT_FILES: `${root}:rw` },
    }),
  );
  await keepScreenshots(screens, 'device-files', async (page) => {
    await page.goto(`/devices/${agent.deviceId}?tab=files&path=${encodeURIComponent(root)}`);
    await page
      .getByRole('textbox', { name: /^(?:Reason|原因)$/ })
      .fill(page === screens.english ? 'The card reader is slow' : '读卡器响应缓慢');
    await page.getByRole('button', { name: /^(?:Show files|显示文件)$/ }).click();
    await page.getByRole('button', { name: 'kiosk.log', exact: true }).click();
    const text = page.locator('.dp-file-text');
    await text.getByText('display started').first().waitFor();
    await page
      .getByRole('columnheader')
      .first()
      .evaluate((header) => {
        header.scrollIntoView();
        globalThis.scrollBy(0, -160);
      });
  });
}

async function writeFiles(root: string): Promise<void> {
  await mkdir(join(root, 'archive'));
  const contents: readonly (readonly [string, string, number])[] = [
    ['core.812', 'x'.repeat(20_000), 70],
    ['kiosk.log', logOfDays(8), 0],
    ['kiosk.log.1', logOfDays(650), 22],
    ['settings.json', '{"volume": 40}\n', 0],
  ];
  for (const [name, content, hours] of contents) {
    const path = join(root, name);
    const at = new Date(Date.now() - hours * HOUR_MS);
    await writeFile(path, content);
    await utimes(path, at, at);
  }
}

const logOfDays = (days: number): string =>
  Array.from({ length: days }, (_, index) => {
    const day = String(1 + (index % 28)).padStart(2, '0');
    const at = (second: number): string => `2026-11-${day} 08:01:${second} kiosk[812]`;
    return [
      `${at(12)} INFO  display started, resolution 1920x1080`,
      `${at(14)} WARN  card reader did not answer within 2 s, trying again`,
      `${at(15)} INFO  card reader ready, firmware 3.2.1`,
    ].join('\n');
  }).join('\n');
