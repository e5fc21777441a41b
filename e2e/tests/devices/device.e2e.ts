import { beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../support/accessibility.ts';
import {
  withoutSignatureChecks,
  withReasonToRun,
  withRemedy,
} from '../../support/change-answers.ts';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { startRealAgent } from '../../support/real-agent.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { choose, heading } from '../../support/words.ts';
import { DEVICE_TIMEOUT_MS } from '../../support/timeouts.ts';

const testBrowser = openTestBrowser();
let admin: PortalClient;
let fleet: Fleet;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  fleet = await readFleet(admin);
});

describe('a device', () => {
  test('a serial number in the address opens the device and is replaced by its ID', async () => {
    const device = fleet.takeOnline();
    const page = await testBrowser.open('admin', `/devices/${device.serialNumber}`);
    await heading(page, device.serialNumber).waitFor();
    await page.waitForURL(`**/devices/${device.id}`);
  });

  test('an unknown device is reported with its code and links (6000)', async () => {
    const page = await testBrowser.open('admin', '/devices/SN-NOT-HERE');
    testBrowser.expectErrors(page, /404|devices\.get/);
    await heading(page, 'Device SN-NOT-HERE not found').waitFor();
    await page.getByText(/Error 6000/).waitFor();
    await page.getByRole('button', { name: 'Search' }).last().waitFor();
  });

  test('every tab has its own address', async () => {
    const page = await testBrowser.open('admin', `/devices/${fleet.real.id}`);
    await page.getByText('No problem found').waitFor();
    const views = {
      Commands: [],
      Software: [],
      Activity: ['Events', 'Notes', 'History'],
      Location: [],
      More: ['Similar devices', 'Instances', 'Raw JSON'],
    };
    for (const [tab, names] of Object.entries(views)) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel', { name: tab }).waitFor();
      for (const name of names) await page.getByRole('button', { name, exact: true }).click();
    }
    await page.waitForURL('**?tab=raw');
    await page.reload();
    await page.getByRole('tabpanel', { name: 'More' }).getByText(fleet.real.id).first().waitFor();
  });

  test('a narrow screen shows the active tab, also after a link to another one', async () => {
    const path = `/devices/${fleet.takeOnline().id}`;
    const page = await testBrowser.open('operator', `${path}?tab=location`, {
      viewport: { width: 390, height: 844 },
    });
    const isInView = (name: string) =>
      page.getByRole('tab', { name }).evaluate((tab) => {
        const bar = tab.closest('[role=tablist]')?.getBoundingClientRect();
        const { left, right } = tab.getBoundingClientRect();
        return bar !== undefined && left >= bar.left && right <= bar.right;
      });
    await page.getByRole('tab', { name: 'Location', selected: true }).waitFor();
    await expect.poll(() => isInView('Location')).toBe(true);
    await page.evaluate((to) => history.pushState({}, '', to), `${path}?tab=commands`);
    await page.getByRole('tab', { name: 'Commands', selected: true }).waitFor();
    await expect.poll(() => isInView('Commands')).toBe(true);
  });

  test('a note stays on the device until its author deletes it', async () => {
    const page = await testBrowser.open('admin', `/devices/${fleet.real.id}?tab=notes`);
    await page.getByRole('textbox', { name: 'New note' }).fill('Key is at the front desk');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.dp-note').getByText('Key is at the front desk').waitFor();
    await page.reload();
    await page.locator('.dp-note').getByText('Key is at the front desk').waitFor();
    await page.getByRole('button', { name: 'Remove' }).first().click();
    await page.getByText('No notes yet').waitFor();
  });

  test('a changed name is shown immediately, and the audit trail has both names', async () => {
    const device = fleet.takeOnline();
    const page = await testBrowser.open('admin', `/devices/${device.id}`);
    await choose(page, 'Manage', 'Edit device');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Lobby screen');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Changes saved').first().waitFor();
    await page.getByText('Lobby screen').first().waitFor();
    await page.goto(`/audit-trail/device?device=${device.id}`);
    await page
      .getByRole('button', { name: /^Show event Device edited/ })
      .first()
      .click();
    const details = page.getByRole('region', { name: /Event|Device edited/ }).first();
    await details.getByText('Lobby screen').first().waitFor();
    await details.getByText(device.name).first().waitFor();
  });

  test('a suspended device accepts no command and shows the reason until it is resumed', async () => {
    const device = await fleet.takeWell();
    const page = await testBrowser.open('admin', `/devices/${device.id}`);
    await choose(page, 'Manage', 'Suspend');
    const dialog = page.getByRole('dialog', { name: /^Suspend/ });
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Connections and commands are rejected').first().waitFor();
    const command = await testBrowser.openTab(page, `/commands/storage/usage?device=${device.id}`);
    await command.getByText('is suspended. Nothing can be sent to it.').waitFor();
    await choose(page, 'Manage', 'Resume');
    await page
      .getByRole('dialog', { name: /^Resume/ })
      .getByRole('button', { name: 'Resume' })
      .click();
    // The agent reconnects with increasing pauses of at most half a minute.
    await page.getByText('No problem found').waitFor({ timeout: DEVICE_TIMEOUT_MS });
  });

  test('retiring requires the serial number, and the record becomes read-only', async () => {
    const device = fleet.takeOnline();
    const page = await testBrowser.open('admin', `/devices/${device.id}`);
    await choose(page, 'Manage', 'Retire');
    const dialog = page.getByRole('dialog', { name: /^Retire/ });
    const confirm = dialog.getByRole('button', { name: 'Retire' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox', { name: new RegExp(device.serialNumber) }).fill('SN1');
    expect(await confirm.isDisabled()).toBe(true);
    await dialog
      .getByRole('textbox', { name: new RegExp(device.serialNumber) })
      .fill(device.serialNumber);
    await confirm.click();
    await page.getByText('The device certificate is revoked. The record is kept').first().waitFor();
  });

  test('a machine that lost its state is shown with its key, and becomes the device after approval', async () => {
    const device = fleet.takeOnline();
    const page = await testBrowser.open('admin', `/devices/${device.id}`);
    await heading(page, device.serialNumber).waitFor();
    const claim = await admin.order<{ token: string }>('devices.createClaim', { uses: 5 });
    await using _agent = await startRealAgent(claim.token, device.serialNumber);
    await page.getByText('A machine requests to become this device').waitFor();
    await page.getByText(/^SHA256:/).waitFor();
    await page
      .getByText(/^Current record: /)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText(/^Approved by admin/).waitFor();
    await page.getByText('A machine was approved to become this device').waitFor({
      state: 'detached',
      timeout: DEVICE_TIMEOUT_MS,
    });
    await page.getByRole('tab', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Instances', exact: true }).click();
    await page.getByRole('tabpanel', { name: 'More' }).getByText('Superseded').waitFor();
  });

  test('the device page shows whether signatures are verified, and a run shows how many devices do not verify them', async () => {
    const path = `/devices/${fleet.real.id}`;
    const page = await testBrowser.open('admin', path);
    await page.getByText('Command signatures').waitFor();
    await page.getByText('Verified', { exact: true }).waitFor();
    await withoutSignatureChecks(page);
    await page.reload();
    await page.getByText('Not verified. The agent runs any command that it receives.').waitFor();
    await page.goto('/commands/storage/usage?all=1');
    await page.getByText('3 devices do not verify signatures').waitFor();
  });
});

describe('a remedy', () => {
  test('of a device that only reads runs in place, with its live output', async () => {
    const path = `/devices/${fleet.real.id}`;
    const page = await testBrowser.open('admin', path, {
      before: (opened) => withRemedy(opened, 'storage/usage'),
    });
    await page.getByRole('button', { name: 'Run storage/usage' }).click();
    const output = page.getByRole('region', { name: 'Standard output' });
    await output
      .getByText(/Filesystem|\/dev|tmpfs|overlay/)
      .first()
      .waitFor();
    await page.getByText('Succeeded').first().waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    expect(await findViolations(page)).toEqual([]);
    const result = page.getByRole('link', { name: 'Open result' });
    expect(await result.getAttribute('href')).toMatch(/^\/commands\/storage\/usage\?.*invocation=/);
    await page.getByRole('button', { name: 'Close storage/usage' }).click();
    await output.waitFor({ state: 'detached' });
  });

  test('that disrupts the device opens its form and its confirmation', async () => {
    const page = await testBrowser.open('admin', `/devices/${fleet.real.id}`, {
      before: (opened) => withRemedy(opened, 'restart/device'),
    });
    await page.getByRole('link', { name: 'Run restart/device' }).click();
    await page.waitForURL('**/commands/restart/device?**');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });

  test('of an explanation that only reads runs next to its reason', async () => {
    const { id } = fleet.real;
    const page = await testBrowser.open('admin', `/commands/shell?device=${id}`, {
      before: (opened) => withReasonToRun(opened, { command: 'storage/usage', deviceId: id }),
    });
    await page.locator('#parameter-script').fill('exit 3');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('alert').or(page.getByText('Why?')).first().waitFor();
    const url = page.url();
    await page.getByRole('button', { name: 'Run storage/usage' }).first().click();
    await page
      .locator('.dp-reason-result')
      .getByText(/Filesystem|\/dev|tmpfs|overlay/)
      .first()
      .waitFor();
    expect(new URL(page.url()).pathname).toBe(new URL(url).pathname);
    expect(await findViolations(page)).toEqual([]);
  });
});
