import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { findViolations } from '../../support/accessibility.ts';
import { withoutSignatureChecks } from '../../support/change-answers.ts';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { bodyRows, choose, heading, pressWhenReady } from '../../support/words.ts';

const testBrowser = openTestBrowser();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await readFleet(await PortalClient.signIn('admin'));
});

const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click();

describe('AirBlast', () => {
  test('a change goes from its plan to a verified result, with a change of the operator', async () => {
    const devices = Array.from({ length: 3 }, () => fleet.takeOnline());
    const operator = await testBrowser.open(
      'operator',
      '/air-blast?plan=1&document=DevicePortal-storage-usage',
    );
    const named = operator.getByRole('textbox', { name: 'Name', exact: true });
    expect(await named.inputValue()).toBe('DevicePortal-storage-usage');
    await named.fill('Look at the disks');
    await operator.getByRole('radio', { name: 'Serial numbers, pasted or from a file' }).click();
    await operator
      .getByRole('textbox', { name: 'Serial numbers', exact: true })
      .fill(devices.map(({ serialNumber }) => serialNumber).join('\n'));
    await press(operator, 'Look up 3 serial numbers');
    await operator.getByText('3 online, 0 offline').waitFor();
    expect(await findViolations(operator)).toEqual([]);
    await press(operator, 'Create plan');
    await heading(operator, 'Look at the disks').waitFor();
    await pressWhenReady(operator, 'Assume the AirBlast role');
    await pressWhenReady(operator, 'Start preflight');
    await pressWhenReady(operator, 'Start canary');
    await operator.getByRole('button', { name: 'Start rollout' }).waitFor();
    const current = operator.locator('[aria-current="step"]');
    expect(await current.textContent()).toContain('Rollout');
    expect(await current.textContent()).toContain('Needs your action');
    expect(await operator.locator('[data-mark="next"]').textContent()).toBe('VerifyNext');
    expect(await operator.locator('[data-mark="done"]').count()).toBe(3);
    expect(await findViolations(operator)).toEqual([]);
    await press(operator, 'More actions');
    await operator.getByRole('menuitem', { name: 'Release control' }).click();
    const admin = await testBrowser.open('admin', new URL(operator.url()).pathname);
    await press(admin, 'Take over');
    await pressWhenReady(admin, 'Assume the AirBlast role');
    await pressWhenReady(admin, 'Renew authorization');
    await pressWhenReady(admin, 'Start rollout');
    const dialog = admin.getByRole('dialog');
    await dialog.getByText('DevicePortal-storage-usage:1 runs on 2 devices.').waitFor();
    await dialog.getByRole('button', { name: 'Start rollout' }).click();
    await pressWhenReady(admin, 'Verify');
    await admin.getByText('3 as intended', { exact: true }).waitFor();
    await operator.reload();
    await operator.getByText('3 as intended', { exact: true }).waitFor();
  });

  test('a plan for all matches of the device list needs no further selection', async () => {
    const { model } = fleet.takeOnline();
    const document = 'DevicePortal-storage-usage';
    const operator = await PortalClient.signIn('operator');
    const { count } = await operator.ask<{ count: number }>('commands.previewTarget', {
      command: 'document',
      document,
      target: { kind: 'filter', filter: { tokens: [modelIs(model)] } },
    });
    const page = await testBrowser.open('operator', `/devices?q=model%3D${model ?? ''}`);
    await bodyRows(page).first().waitFor();
    await choose(page, 'Actions', /^Select all \d+ matches$/);
    await choose(page, 'Actions', 'AirBlast');
    await page.waitForURL('**/air-blast?**');
    await page.goto(`${page.url()}&document=${document}`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Every one of a model');
    await pressWhenReady(page, 'Create plan');
    await heading(page, 'Every one of a model').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const { targetCount } = await operator.ask<AirBlastDetail>('airBlast.get', { id });
    expect(targetCount).toBe(count);
  });

  test('part of a component name is completed, and an unknown version shows a warning', async () => {
    const { id } = fleet.takeOnline();
    const page = await testBrowser.open('operator', `/air-blast?plan=1&devices=${id}`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('A version of tomorrow');
    await press(page, 'Version');
    const component = page.getByRole('combobox', { name: 'Component', exact: true });
    await page.getByRole('combobox', { name: 'Version', exact: true }).fill('99.0.0');
    await component.fill('firm');
    await page.getByRole('option', { name: 'firmware' }).waitFor();
    await component.press('Enter');
    expect(await component.inputValue()).toBe('firmware');
    await page.getByText('No version with this name is registered').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await pressWhenReady(page, 'Create plan');
    await heading(page, 'A version of tomorrow').waitFor();
    await page.getByText('No device has firmware 99.0.0').waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test('plan and preflight show how many devices do not verify signatures, and list them', async () => {
    const { id } = fleet.takeOnline();
    const page = await testBrowser.open(
      'operator',
      `/air-blast?plan=1&devices=${id}&document=DevicePortal-storage-usage`,
    );
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Agents of old');
    await pressWhenReady(page, 'Create plan');
    await heading(page, 'Agents of old').waitFor();
    await withoutSignatureChecks(page);
    await page.reload();
    const alert = page.getByRole('main').getByText('3 devices do not verify signatures');
    await alert.first().waitFor();
    const listed = page.waitForRequest((request) =>
      decodeURIComponent(request.url()).includes('"group":"unchecked"'),
    );
    await press(page, 'Show devices');
    await listed;
    const group = page.getByRole('button', { name: 'Signatures not verified' });
    expect(await group.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => bodyRows(page).count()).toBe(0);
    await pressWhenReady(page, 'Assume the AirBlast role');
    await pressWhenReady(page, 'Start preflight');
    await page.getByRole('listitem').getByText('3 devices do not verify signatures').waitFor();
    expect(await findViolations(page)).toEqual([]);
  });
});

const modelIs = (model: string | null) => ({ key: 'model', operator: '=', values: [model] });
