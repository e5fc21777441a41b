import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceMetrics } from '@deviceportal/contract/device-metrics';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { countActs } from '../../support/count-acts.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { addressOf, askForCode, codeField, readCode } from '../../support/sign-in.ts';
import { spawnPortal, type SpawnedPortal } from '../../support/spawn-portal.ts';
import { heading } from '../../support/words.ts';
import { DEVICE_TIMEOUT_MS, PAGE_TIMEOUT_MS } from '../../support/timeouts.ts';

/** Five samples at the new level, their messages, and the next refresh of the page. */
const CHANGE_TIMEOUT_MS = 180_000;
const MINUTE_MS = 60_000;
const SAMPLES_BEFORE = 8;

let portal: SpawnedPortal;
let browser: Browser;
beforeAll(async () => {
  portal = await spawnPortal(['--fleet', '100', '--no-agent'], {
    DEVICEPORTAL_SIGN_IN_LIMITS: 'off',
    DEVICEPORTAL_AGENT_RHYTHM: 'off',
    DEVICEPORTAL_METRICS_SECONDS: '10',
    DEVICEPORTAL_METRICS_SEND_SECONDS: '10',
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await portal[Symbol.asyncDispose]();
});

/** The first device whose clock is right, when it has connected. */
async function findDevice(admin: PortalClient): Promise<{ readonly id: string }> {
  for (;;) {
    const { rows } = await admin.ask<{ rows: { id: string }[] }>('devices.list', {
      filter: {
        tokens: [
          { key: 'connectivity', operator: '=', values: ['online'] },
          { key: 'finding', operator: '!=', values: ['clock-wrong'] },
        ],
      },
    });
    const [device] = rows;
    if (device !== undefined) return device;
  }
}

/** Without samples from before it, a change cannot be found. */
async function waitForSamples(admin: PortalClient, deviceId: string, from: Date): Promise<void> {
  for (;;) {
    const { times } = await admin.ask<Pick<DeviceMetrics, 'times'>>('deviceMetrics.get', {
      ...{ deviceId, from: from.toISOString(), to: new Date().toISOString() },
    });
    if (times.length >= SAMPLES_BEFORE) return;
    await sleep(1_000);
  }
}

test(
  'a metric is next to the command that changed it after at most two clicks',
  async () => {
    const admin = await PortalClient.signIn('admin', portal.url);
    const { id } = await findDevice(admin);
    const page = await browser.newPage({ baseURL: portal.url, locale: 'en' });
    page.setDefaultTimeout(PAGE_TIMEOUT_MS);
    const from = new Date(Date.now() - 9 * MINUTE_MS);
    await waitForSamples(admin, id, from);
    const range = new URLSearchParams({
      from: from.toISOString(),
      to: new Date(Date.now() + 5 * MINUTE_MS).toISOString(),
    });
    await page.goto(`/signin?next=${encodeURIComponent(`/devices/${id}?${range.toString()}`)}`);
    const askedAt = await askForCode(page, addressOf('admin'));
    await codeField(page).fill(await readCode(addressOf('admin'), askedAt, portal.url));
    await heading(page, /.+/).first().waitFor();
    await admin.order('commands.run', {
      command: 'shell',
      target: { kind: 'devices', deviceIds: [id] },
      parameters: { script: "date -s '+40 minutes'" },
      idempotencyKey: randomUUID(),
    });
    const acts = await countActs(page);
    await page.getByRole('tab', { name: 'Metrics' }).click();
    const change = page
      .getByRole('region', { name: 'What changed before this' })
      .getByRole('listitem')
      .filter({ hasText: /Clock offset from the server rose from/ });
    await change
      .getByRole('link', { name: 'shell' })
      .first()
      .waitFor({ timeout: CHANGE_TIMEOUT_MS });
    await change.getByRole('link', { name: 'shell' }).first().click();
    await page.waitForURL(/\/commands\/shell\?.*invocation=/);
    expect(acts.clicks).toBeLessThanOrEqual(2);
    // Each model has more than ten devices.
    await page.goto(`/devices/${id}?tab=metrics`);
    await page.getByLabel('Compare with the model').click();
    await page.getByText(/^Dashed line: median of \d+ devices of model /).waitFor();
    await page
      .getByRole('figure', { name: 'CPU' })
      .getByText(/^Model: /)
      .waitFor();
  },
  CHANGE_TIMEOUT_MS + 2 * DEVICE_TIMEOUT_MS,
);
