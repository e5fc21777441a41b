import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Download, Page } from 'playwright-core';
import { countActs } from '../../support/count-acts.ts';
import { takeCustomer } from '../../support/customer.ts';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { DEVICE_TIMEOUT_MS } from '../../support/timeouts.ts';
import { heading } from '../../support/words.ts';

const STORY_LIMIT_MS = 180_000;

const testBrowser = openTestBrowser();
let admin: PortalClient;
let support: PortalClient;
let fleet: Fleet;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  support = await PortalClient.signIn('support');
  fleet = await readFleet(admin);
});

async function downloadEvidence(page: Page, item: RegExp): Promise<Buffer> {
  await page.getByRole('main').getByRole('button', { name: 'Evidence', exact: true }).click();
  const [download]: [Download, void] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: item }).click(),
  ]);
  return readFile(await download.path());
}

const startOf = (content: Buffer): string => content.subarray(0, 4).toString('latin1');

describe('evidence', () => {
  test(
    'of a result takes two clicks: report and proof, and the link to the audit trail shows its run',
    async () => {
      const device = fleet.takeOnline();
      const page = await testBrowser.open('support', `/commands/storage/usage?device=${device.id}`);
      await page.getByRole('main').getByRole('button', { name: 'Run', exact: true }).click();
      await page
        .getByRole('main')
        .getByText('Succeeded')
        .first()
        .waitFor({ timeout: DEVICE_TIMEOUT_MS });
      const acts = await countActs(page);
      expect(startOf(await downloadEvidence(page, /^Report/))).toBe('%PDF');
      expect(acts.clicks).toBeLessThanOrEqual(2);
      acts.clicks = 0;
      expect(startOf(await downloadEvidence(page, /^Proof/))).toBe('PK\u0003\u0004');
      expect(acts.clicks).toBeLessThanOrEqual(2);
      await page.getByRole('main').getByRole('link', { name: 'Audit trail' }).click();
      await page.waitForURL(/audit-trail\/device\?q=run/);
      await page
        .getByText(/storage\/usage/)
        .first()
        .waitFor();
    },
    STORY_LIMIT_MS,
  );

  test(
    'of a case takes at most three clicks, and names the person by a second fact',
    async () => {
      const customer = await takeCustomer(support, fleet.takeOnline);
      const { id } = await support.order<{ id: string }>('cases.open', { personId: customer.id });
      const page = await testBrowser.open('support', `/cases/${id}`);
      await heading(page, new RegExp(`Case for ${customer.name} \\(.+@.+\\)`)).waitFor();
      const acts = await countActs(page);
      expect(startOf(await downloadEvidence(page, /^Report/))).toBe('%PDF');
      expect(startOf(await downloadEvidence(page, /^Proof/))).toBe('PK\u0003\u0004');
      expect(acts.clicks).toBeLessThanOrEqual(4);
      await support.order('cases.close', { id, outcome: 'resolved' });
    },
    STORY_LIMIT_MS,
  );

  test(
    'from a call to evidence in four clicks, one paste, and two keys',
    async () => {
      const { device } = await takeCustomer(admin, fleet.takeWell);
      await admin.order('commands.run', {
        command: 'shell',
        target: { kind: 'devices', deviceIds: [device.id] },
        parameters: { script: "date -s '+40 minutes'" },
        idempotencyKey: randomUUID(),
      });
      const page = await testBrowser.open('support', '/');
      const main = page.getByRole('main');
      await heading(page, /.+/).first().waitFor();
      const acts = await countActs(page);
      await page.keyboard.press('/');
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')))
        .toBe('combobox');
      // As pasted: without keys.
      await page.keyboard.insertText(device.serialNumber);
      await page.getByRole('option', { name: device.serialNumber }).first().waitFor();
      await page.keyboard.press('Enter');
      await heading(page, device.serialNumber).waitFor();
      await main
        .getByText('restart/service', { exact: false })
        .first()
        .waitFor({ timeout: DEVICE_TIMEOUT_MS });
      await main.getByText('Run restart/service', { exact: true }).first().click();
      await page.locator('#parameter-service').waitFor();
      await main.getByRole('button', { name: 'Run', exact: true }).click();
      await main.getByText('Succeeded').first().waitFor({ timeout: DEVICE_TIMEOUT_MS });
      expect(startOf(await downloadEvidence(page, /^Report/))).toBe('%PDF');
      expect(acts).toMatchObject({ clicks: 4, keys: 2 });
    },
    STORY_LIMIT_MS,
  );
});
