import { describe, expect, test } from 'vitest';
import { findViolations } from '../../support/accessibility.ts';
import { countActs } from '../../support/count-acts.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { bodyRows, choose, heading, rowOf } from '../../support/words.ts';

const testBrowser = openTestBrowser();

describe('alert rules', () => {
  test('a rule is created from a filtered device list in at most four clicks, tested, and deleted', async () => {
    const page = await testBrowser.open('admin', '/devices?q=country%3DDE');
    await bodyRows(page).first().waitFor();
    const acts = await countActs(page);
    await choose(page, 'Actions', 'Create alert rule');
    await heading(page, 'New alert rule').waitFor();
    await page.getByText(/^Now: \d+ of \d+ devices match\.$/).waitFor();
    await page.getByText(/in the last 7 days$/).waitFor();
    await page.getByText(/Estimate from recorded connections/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    const name = `Offline in Germany ${Date.now()}`;
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('button', { name: 'Create alert rule' }).click();
    await rowOf(page, name).waitFor();
    expect(acts.clicks).toBeLessThanOrEqual(4);
    await rowOf(page, name)
      .getByText('More than 3% of the devices offline for 10 minutes')
      .waitFor();
    await rowOf(page, name)
      .getByText(/^(OK|Firing)$/)
      .waitFor();
    expect(await findViolations(page)).toEqual([]);

    await choose(page, `Actions for ${name}`, 'Edit');
    await heading(page, name).waitFor();
    await page.getByRole('button', { name: /^Send test to Email/ }).click();
    await page.getByText('Test email queued').waitFor();
    await page.getByRole('spinbutton', { name: 'Fire above' }).fill('100');
    const save = page.getByRole('button', { name: 'Save changes' });
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('spinbutton', { name: 'Fire above' }).fill('5');
    await save.click();
    await rowOf(page, name)
      .getByText(/More than 5% of the devices/)
      .waitFor();

    await choose(page, `Actions for ${name}`, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await rowOf(page, name).waitFor({ state: 'detached' });
  });

  test('a rule about a metric is created from the metrics of the fleet in at most four clicks', async () => {
    const page = await testBrowser.open('admin', '/device-metrics?metric=memoryUsedPercent');
    await heading(page, 'Metrics').waitFor();
    const acts = await countActs(page);
    await page.getByRole('button', { name: 'Create alert rule' }).click();
    await heading(page, 'New alert rule').waitFor();
    await page.getByText(/^Now: \d+ of \d+ devices match\.$/).waitFor();
    await page.getByText(/Estimate from means of quarters of an hour/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    const name = `Memory ${Date.now()}`;
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('button', { name: 'Create alert rule' }).click();
    await rowOf(page, name)
      .getByText(/More than 3% of the devices with .* of at least 90%/)
      .waitFor();
    expect(acts.clicks).toBeLessThanOrEqual(4);
    await rowOf(page, name)
      .getByText(/^(OK|Firing)$/)
      .waitFor();

    await choose(page, `Actions for ${name}`, 'Edit');
    await page.getByRole('button', { name: 'Rollouts and maintenance windows' }).click();
    await page.getByRole('button', { name: 'Add maintenance window' }).click();
    await page.getByRole('textbox', { name: 'From' }).fill('00:00');
    await page.getByRole('textbox', { name: 'To' }).fill('00:00');
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await rowOf(page, name).waitFor();
    await choose(page, `Actions for ${name}`, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await rowOf(page, name).waitFor({ state: 'detached' });
  });

  test('a list filtered by a metric becomes the condition of a rule', async () => {
    const page = await testBrowser.open('admin', '/devices?q=metric%3E%3DcpuUsedPercent%3A50');
    await choose(page, 'Actions', 'Create alert rule');
    await heading(page, 'New alert rule').waitFor();
    expect(await page.getByRole('spinbutton', { name: 'Value (%)' }).inputValue()).toBe('50');
  });

  test('an address inside the network is rejected at its field', async () => {
    const page = await testBrowser.open('admin', '/alerts?create=true');
    testBrowser.expectErrors(page, /status of 400|is internal/);
    await choose(page, 'Add destination', 'Webhook');
    await page.getByRole('textbox', { name: 'Webhook' }).fill('https://169.254.169.254/latest');
    await page.getByRole('button', { name: 'Create alert rule' }).click();
    await page
      .getByText(/The address 169\.254\.169\.254 is internal/)
      .first()
      .waitFor();
  });

  test('a user without the permission has no link and no access', async () => {
    const page = await testBrowser.open('viewer', '/');
    await page.getByRole('link', { name: 'Devices', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Alerts' }).count()).toBe(0);
    const viewer = await PortalClient.signIn('viewer');
    await expect(viewer.ask('alerts.listRules', undefined)).rejects.toThrow(/alerts:read/);
  });

  test('texts are in Chinese for a user with that language', async () => {
    const look = { theme: 'light', density: 'comfortable', language: 'zh-CN' } as const;
    const page = await testBrowser.open('admin', '/alerts', { appearance: look });
    await heading(page, '告警').waitFor();
    await page.getByRole('tab', { name: '规则' }).waitFor();
  });
});
