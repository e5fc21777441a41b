import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { readFleet, type Fleet } from '../support/fleet.ts';
import { PortalClient } from '../support/portal-client.ts';
import { openStage } from '../support/stage.ts';
import { heading } from '../support/words.ts';

const stage = openStage();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await readFleet(await PortalClient.signIn('admin'));
});

describe('user report', () => {
  test('[e2e-report-1] is asked for, made, read and downloaded', async () => {
    const { owner, serialNumber } = fleet.owned;
    const page = await stage.open('support', `/reports/user-report?person=${owner.id}`);
    await page.getByRole('button', { name: 'Make report' }).click();
    await heading(page, /User report about/)
      .first()
      .waitFor();
    await page.getByRole('heading', { name: 'Findings' }).waitFor();
    await page.getByRole('main').getByText(serialNumber).first().waitFor();
    await page.getByRole('button', { name: 'Download' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'PDF' }).click(),
    ]);
    const content = await readFile(await download.path());
    expect(content.subarray(0, 5).toString('latin1')).toBe('%PDF-');
  });
});
