import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { PortalClient } from '../../support/portal-client.ts';
import { readFleet } from '../../support/fleet.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { bodyRows, heading, rowOf } from '../../support/words.ts';

const valuesOf = (inputs: Element[]): string[] =>
  inputs.map((input) => (input as HTMLInputElement).value);

const testBrowser = openTestBrowser();
let admin: PortalClient;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  await readFleet(admin);
});

describe('changes of many devices', () => {
  test('outputs of many devices are grouped, viewed, and saved as a view', async () => {
    const command = { command: 'config/show', target: { kind: 'filter', filter: {} } };
    const shown = await admin.ask<{ sha256: string; count: number }>(
      'commands.previewTarget',
      command,
    );
    const { id } = await admin.order<{ id: string }>('commands.run', {
      ...command,
      targetSha256: shown.sha256,
      targetCount: shown.count,
      parameters: {},
      idempotencyKey: randomUUID(),
    });
    const page = await testBrowser.open('admin', `/commands/config/show?run=${id}`);
    await page.getByRole('tab', { name: 'Distinct outputs' }).click();
    const answer = rowOf(page, 'Output 1').first();
    await answer.waitFor();
    await answer.getByRole('checkbox').check();
    await page.getByText('Device-specific values are replaced').waitFor();
    await page.getByRole('button', { name: 'Save devices as view' }).click();
    await page.getByText(/saved as the view/).waitFor();
    await page.getByRole('link', { name: 'View devices' }).click();
    await heading(page, /^Devices/).waitFor();
    await bodyRows(page).first().waitFor();
  });

  test('a command is scheduled, shows its next times, and is deleted', async () => {
    const name = `Nightly ${randomUUID().slice(0, 8)}`;
    const page = await testBrowser.open('admin', '/commands/storage/usage?all=1');
    await page.getByRole('button', { name: 'Run later or repeatedly' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.getByRole('button', { name: 'Recurring', exact: true }).click();
    await page.getByText('Next runs').waitFor();
    await page.getByRole('button', { name: 'Create schedule', exact: true }).click();
    await page.getByRole('button', { name: 'View schedules' }).click();
    const row = rowOf(page, name);
    await row.waitFor();
    await row.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('a version is registered and approved, and the matrix links to devices with older versions', async () => {
    const version = `99.${Date.now() % 100_000}.0`;
    const page = await testBrowser.open('admin', '/tavs?component=firmware&tab=software');
    await page.getByRole('button', { name: 'Register version' }).click();
    const dialog = page.getByRole('dialog').filter({ visible: true });
    await dialog.getByRole('textbox', { name: 'Version' }).fill(version);
    await dialog.getByRole('button', { name: 'Register version' }).click();
    await page.getByRole('button', { name: `Actions for ${version}` }).click();
    await page.getByRole('menuitem', { name: 'Approve version' }).click();
    await rowOf(page, version).getByText('Approved', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Actions for ${version}` }).click();
    await page.getByRole('menuitem', { name: 'Approve for a model…' }).click();
    await dialog.getByRole('button', { name: 'Approve version' }).click();
    await page.getByText('All models').first().waitFor();
    await page.getByRole('tab', { name: 'Approved vs. installed' }).click();
    const behind = page.getByRole('link', { name: /run .* on .*: Older than approved/i }).first();
    await behind.click();
    await heading(page, /^Devices/).waitFor();
    await bodyRows(page).first().waitFor();
    expect(await bodyRows(page).count()).toBeGreaterThan(0);
    await page.goBack();
    await page.getByRole('tab', { name: 'Versions and approvals' }).click();
    await page.getByRole('button', { name: `Actions for ${version}` }).click();
    await page.getByRole('menuitem', { name: 'Roll out with AirBlast…' }).click();
    await heading(page, 'AirBlast').waitFor();
    await expect.poll(() => page.locator('main input').evaluateAll(valuesOf)).toContain(version);
  });
});
