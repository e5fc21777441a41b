import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading } from '../../support/words.ts';

const testBrowser = openTestBrowser();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await readFleet(await PortalClient.signIn('admin'));
});

describe('user report', () => {
  test('is requested, created, read, downloaded, and read without a session', async () => {
    const { owner, serialNumber } = fleet.owned;
    const page = await testBrowser.open('support', `/reports/user-report?person=${owner.id}`);
    await page.getByRole('button', { name: 'Create report' }).click();
    await heading(page, /User report about/)
      .first()
      .waitFor();
    await page.getByRole('heading', { name: 'Findings' }).waitFor();
    await page.getByRole('main').getByText(serialNumber).first().waitFor();
    await page.getByRole('button', { name: /^Activity/ }).click();
    const activity = page.locator('.dp-activity').filter({ hasText: 'User report about' });
    await activity.getByText('Ready').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Download' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'PDF' }).click(),
    ]);
    const content = await readFile(await download.path());
    expect(content.subarray(0, 5).toString('latin1')).toBe('%PDF-');
    await page.getByRole('button', { name: 'Share' }).click();
    const preview = page.getByRole('region', { name: 'Recipient’s view' });
    await preview.getByText(serialNumber).first().waitFor();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = page.locator('.dp-share-url');
    await link.waitFor();
    const reply = await fetch((await link.getAttribute('href')) ?? '');
    expect(reply.status).toBe(200);
    const shared = await reply.text();
    expect(shared).toContain(serialNumber);
    expect(shared).not.toContain('support@deviceportal.local');
  });
});
