import { beforeAll, expect, test } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import { withReasonToRun, withRemedy } from '../support/change-answers.ts';
import { readFleet, type Fleet } from '../support/fleet.ts';
import { PortalClient } from '../support/portal-client.ts';
import { openTestBrowser } from '../support/test-browser.ts';

const testBrowser = openTestBrowser();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await readFleet(await PortalClient.signIn('admin'));
});

test('a remedy of a device that only reads runs in place, with its live output', async () => {
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

test('a remedy that disrupts the device opens its form and its confirmation', async () => {
  const page = await testBrowser.open('admin', `/devices/${fleet.real.id}`, {
    before: (opened) => withRemedy(opened, 'restart/device'),
  });
  await page.getByRole('link', { name: 'Run restart/device' }).click();
  await page.waitForURL('**/commands/restart/device?**');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
});

test('the action of an explanation that only reads runs next to its reason', async () => {
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
