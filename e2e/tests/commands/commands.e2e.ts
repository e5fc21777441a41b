import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { expectInFirstView, laptop } from '../../support/first-view.ts';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openWithoutLiveChannel } from '../../support/without-live-channel.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading } from '../../support/words.ts';
import { DEVICE_TIMEOUT_MS } from '../../support/timeouts.ts';

const testBrowser = openTestBrowser();
let admin: PortalClient;
let fleet: Fleet;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  fleet = await readFleet(admin);
});

const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true });
const result = (page: Page) => page.getByRole('heading', { level: 2, name: 'Result' });
const output = (page: Page) => page.getByRole('region', { name: 'Standard output' });

async function runShell(page: Page, script: string): Promise<void> {
  await page.locator('#parameter-script').fill(script);
  await run(page).click();
  // Scripts count as disruptive and need a confirmation.
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
  await result(page).waitFor();
}

describe('running a command', () => {
  test('storage/usage on this machine ends with its real output', async () => {
    const { id } = fleet.real;
    const page = await testBrowser.open('admin', `/commands/storage/usage?device=${id}`);
    await run(page).click();
    await result(page).waitFor();
    // The state names the device, and so do the details below.
    await page.locator(`.dp-command-chip a[href="/devices/${id}"]`).waitFor();
    await page.getByText('Succeeded').first().waitFor();
    await output(page)
      .getByText(/Filesystem|\/dev|tmpfs|overlay/)
      .first()
      .waitFor();
    await page.reload();
    await output(page)
      .getByText(/Filesystem|\/dev|tmpfs|overlay/)
      .first()
      .waitFor();
  });

  test('output is shown line by line while the command runs, and cancel ends it', async () => {
    const page = await testBrowser.open('admin', `/commands/shell?device=${fleet.real.id}`);
    await runShell(page, 'for i in $(seq 1 300); do echo line-$i; sleep 0.3; done');
    await output(page).getByText('line-1').first().waitFor();
    expect(await output(page).textContent()).not.toContain('line-30');
    await output(page).getByText('line-5').first().waitFor();
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByText('Canceled').first().waitFor();
    expect(await output(page).textContent()).not.toContain('line-300');
  });

  test('a failure shows exit code, output, and 4000, and can be run again', async () => {
    const page = await testBrowser.open('admin', `/commands/shell?device=${fleet.real.id}`);
    await runShell(page, 'echo before the end; exit 3');
    await page
      .getByText(/Error 4000/)
      .first()
      .waitFor();
    await page.getByText('exit code 3').first().waitFor();
    await output(page).getByText('before the end').waitFor();
    const first = page.url();
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL((url) => url.href !== first);
    await page
      .getByText(/Error 4000/)
      .first()
      .waitFor();
  });

  test('logs/collect ends with a file that can be downloaded completely', async () => {
    const page = await testBrowser.open('admin', `/commands/logs/collect?device=${fleet.real.id}`);
    await run(page).click();
    const button = page.getByRole('button', { name: /^Download .*\.(tar\.gz|tgz|zip)/ });
    await button.waitFor({ timeout: DEVICE_TIMEOUT_MS });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const bytes = await readFile(await download.path());
    expect(bytes.length).toBeGreaterThan(100);
    expect([...bytes.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  });
});

describe('before a command runs', () => {
  test('an invalid value is reported at its field, and nothing is sent', async () => {
    const page = await testBrowser.open('admin', `/commands/storage/usage?device=${fleet.real.id}`);
    let sent = 0;
    page.on('request', (request) => (sent += request.url().includes('commands.run') ? 1 : 0));
    await page.locator('#parameter-top').fill('many');
    await run(page).click();
    await page.getByText('Enter a whole number.').first().waitFor();
    expect(await page.locator('#parameter-top').getAttribute('aria-invalid')).toBe('true');
    expect(sent).toBe(0);
  });

  test('a run without a device is rejected (4001), with the device field focused', async () => {
    const page = await testBrowser.open('admin', '/commands/storage/usage');
    testBrowser.expectErrors(page, /400|commands\.run/);
    await run(page).click();
    await page.getByText('No device selected').waitFor();
    await page.getByText(/Error 4001/).waitFor();
  });

  test('an unknown command suggests similar names (4002)', async () => {
    const page = await testBrowser.open('admin', '/commands/storage/usages');
    testBrowser.expectErrors(page, /404|command not found/);
    await heading(page, 'Command storage/usages not found').waitFor();
    await page.getByText(/Error 4002/).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'storage/usage' }).first().waitFor();
  });

  test('an unknown subcommand links to the right one, with the same device (4002)', async () => {
    const { id } = fleet.real;
    const page = await testBrowser.open('admin', `/commands/network/pnig?device=${id}`);
    testBrowser.expectErrors(page, /404|command not found/);
    await heading(page, 'Command network/pnig not found').waitFor();
    await page.getByText(/Error 4002/).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'network/ping' }).first().click();
    await heading(page, 'network/ping').waitFor();
    expect(new URL(page.url()).searchParams.get('device')).toBe(id);
    await run(page).waitFor();
  });

  test('a disruptive command runs after one confirmation', async () => {
    const device = fleet.takeOnline();
    const page = await testBrowser.open('admin', `/commands/restart/device?device=${device.id}`);
    await run(page).click();
    const dialog = page.getByRole('dialog', {
      name: `Run restart/device on ${device.serialNumber}?`,
    });
    await dialog.getByText('Interrupts device operation').waitFor();
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await result(page).waitFor();
    await page
      .getByText(/Running|In progress/)
      .first()
      .waitFor();
  });

  test('a destructive command requires the serial number', async () => {
    const device = fleet.takeOnline();
    const page = await testBrowser.open('admin', `/commands/factory-reset?device=${device.id}`);
    await run(page).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Run', exact: true });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(device.serialNumber);
    await confirm.click();
    await result(page).waitFor();
  });
});

describe('many devices', () => {
  test('a list of devices runs together, and again on exactly the devices shown', async () => {
    const devices = [fleet.takeOnline(), fleet.takeOnline(), fleet.takeOnline()];
    const { id } = await admin.order<{ id: string }>('devices.createTargetList', {
      name: 'Three',
      text: [...devices.map(({ serialNumber }) => serialNumber), 'SN99999999'].join('\n'),
    });
    const page = await testBrowser.open('admin', `/commands/storage/usage?targets=${id}`);
    await page.getByText('3 devices').first().waitFor();
    await page.getByText('1 serial number doesn’t match any device').first().waitFor();
    await run(page).click();
    await page.getByText('3 of 3 finished').first().waitFor({ timeout: DEVICE_TIMEOUT_MS });
    for (const { serialNumber } of devices) await page.getByText(serialNumber).first().waitFor();
    await page.getByText('Unsuccessful only').click();
    await page
      .getByText(devices[0]?.serialNumber ?? '')
      .first()
      .waitFor({ state: 'detached' });
    const first = page.url();
    await page.getByRole('button', { name: 'Run again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run storage/usage on 3 devices?' });
    await dialog.getByText(devices[0]?.serialNumber ?? '').waitFor();
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL((url) => url.href !== first);
    await page.getByText('3 of 3 finished').first().waitFor({ timeout: DEVICE_TIMEOUT_MS });
  });

  test('a changed set is reported before the run, which is then paused, resumed, and exported', async () => {
    const devices = [fleet.takeOnline(), fleet.takeOnline(), fleet.takeOnline()];
    const gone = fleet.takeOnline();
    const { id } = await admin.order<{ id: string }>('devices.createTargetList', {
      name: 'Four',
      text: [...devices, gone].map(({ serialNumber }) => serialNumber).join('\n'),
    });
    const page = await testBrowser.open('admin', `/commands/shell?targets=${id}`);
    testBrowser.expectErrors(page, /400|commands\.run/);
    await page.getByText('4 devices').first().waitFor();
    await page.locator('#parameter-script').fill('sleep 5');
    await admin.order('devices.suspend', { id: gone.id, reason: 'repair' });
    await run(page).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true });
    await confirm.click();
    await page.getByText('The devices have changed since they were shown').waitFor();
    await page.getByText(`1 device was removed: ${gone.serialNumber}`).waitFor();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Show current devices' }).click();
    await dialog.getByText('3 devices', { exact: true }).waitFor();
    await dialog.getByText(/^\d+ owners/).waitFor();
    await dialog.getByText(/^Predicted failure rate/).waitFor();
    expect(await page.locator('#parameter-script').inputValue()).toBe('sleep 5');
    await confirm.click();
    await result(page).waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/,stdout,stderr$/);
    expect(lines).toHaveLength(1 + devices.length);
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await admin.order('devices.resume', { id: gone.id, reason: '' });
  });
});

describe('without the live channel', () => {
  test('the result arrives by polling', async () => {
    const path = `/commands/storage/usage?device=${fleet.real.id}`;
    const page = await openWithoutLiveChannel(testBrowser, path);
    await run(page).click();
    await result(page).waitFor();
    await page.getByText('Succeeded').first().waitFor({ timeout: DEVICE_TIMEOUT_MS });
    await output(page)
      .getByText(/Filesystem|\/dev|tmpfs|overlay/)
      .first()
      .waitFor();
  });
});

describe('without scrolling on a laptop', () => {
  const open = (command: string): Promise<Page> =>
    testBrowser.open('admin', `/commands/${command}?device=${fleet.real.id}`, {
      viewport: laptop,
    });

  test.each(['storage/usage', 'shell', 'logs/tail', 'software/install', 'network/diagnose'])(
    'the run button of %s is in view',
    async (command) => {
      const page = await open(command);
      await expectInFirstView(page, run(page));
    },
  );

  test('the live output of a run is in view', async () => {
    const page = await open('shell');
    await runShell(page, 'echo in view; sleep 2');
    await expectInFirstView(page, output(page));
  });
});

describe('the form of software/install', () => {
  test('offers the components of the device and their known versions, and accepts other text', async () => {
    const { id } = fleet.takeOnline();
    const page = await testBrowser.open('admin', `/commands/software/install?device=${id}`);
    await heading(page, 'software/install').waitFor();
    const component = page.getByRole('combobox', { name: 'Component' });
    await component.click();
    await page.getByText('On this device').waitFor();
    await page
      .getByRole('option', { name: /^firmware/ })
      .first()
      .click();
    expect(await component.inputValue()).toBe('firmware');
    const version = page.getByRole('combobox', { name: 'Version' });
    await version.click();
    const [known] = await page.getByRole('option').allInnerTexts();
    expect(known).toMatch(/\d/);
    await version.fill('99.0.1-test');
    await page.keyboard.press('Tab');
    expect(await version.inputValue()).toBe('99.0.1-test');
  });

  test('labels parameters in words', async () => {
    const page = await testBrowser.open('admin', `/commands/storage/clean?device=${fleet.real.id}`);
    await heading(page, 'storage/clean').waitFor();
    await page.getByText('Preview only', { exact: true }).waitFor();
    expect(await page.getByRole('main').getByText('dryRun').count()).toBe(0);
  });
});
