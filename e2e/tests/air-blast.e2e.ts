import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { abortAirBlast } from '../support/abort-air-blast.ts';
import { findViolations } from '../support/accessibility.ts';
import { readFleet, type Fleet } from '../support/fleet.ts';
import { PortalClient } from '../support/portal-client.ts';
import { APPROVAL_DEVICES } from '../support/start-portal.ts';
import { askForCode, codeField, readCode } from '../support/sign-in.ts';
import { openStage } from '../support/stage.ts';
import { bodyRows, choose, heading } from '../support/words.ts';
import { DEVICE_PATIENCE_MS } from '../support/patience.ts';

const stage = openStage();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await readFleet(await PortalClient.signIn('admin'));
});

const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click();
/** Only an enabled one: while an answer is awaited, the button waits too. */
const pressWhenReady = (page: Page, name: string): Promise<void> =>
  page.locator('button:not([aria-disabled="true"])').filter({ hasText: name }).first().click();

describe('AirBlast', () => {
  test('[e2e-air-blast-1] a change goes from its plan to its verified result, over a hand-over', async () => {
    const devices = Array.from({ length: 3 }, () => fleet.takeOnline());
    const operator = await stage.open(
      'operator',
      '/air-blast?plan=1&document=DevicePortal-storage-usage',
    );
    await operator.getByRole('textbox', { name: 'Name', exact: true }).fill('Look at the disks');
    await operator.getByRole('radio', { name: 'Serial numbers, pasted or from a file' }).click();
    await operator
      .getByRole('textbox', { name: 'Serial numbers', exact: true })
      .fill(devices.map(({ serialNumber }) => serialNumber).join('\n'));
    await press(operator, 'Look up these 3 serial numbers');
    await operator.getByText('3 online, 0 not online now').waitFor();
    expect(await findViolations(operator)).toEqual([]);
    await press(operator, 'Freeze the target set');
    await heading(operator, 'Look at the disks').waitFor();
    await pressWhenReady(operator, 'Assume the AirBlast role');
    await pressWhenReady(operator, 'Start preflight');
    await pressWhenReady(operator, 'Start the canaries');
    await operator.getByRole('button', { name: 'Start the blast' }).waitFor();
    expect(await findViolations(operator)).toEqual([]);
    await press(operator, 'More actions');
    await operator.getByRole('menuitem', { name: 'Let go' }).click();
    const admin = await stage.open('admin', new URL(operator.url()).pathname);
    await press(admin, 'Take over');
    await pressWhenReady(admin, 'Assume the AirBlast role');
    await pressWhenReady(admin, 'Renew authorization');
    await pressWhenReady(admin, 'Start the blast');
    await pressWhenReady(admin, 'Verify');
    await admin.getByText('3 as intended, 0 different, 0 not changed').waitFor();
    await operator.reload();
    await operator.getByText('3 as intended, 0 different, 0 not changed').waitFor();
  });

  test('[e2e-air-blast-2] who may only approve is asked, sees what they sign, and the operator goes on', async () => {
    const address = await inviteApprover();
    const deviceIds = fleet.devices
      .filter(({ connectivity, lifecycle }) => connectivity === 'online' && lifecycle === 'active')
      .slice(0, APPROVAL_DEVICES)
      .map(({ id }) => id);
    const name = 'Look at many disks';
    const client = await PortalClient.signIn('operator');
    const { id, targetSha256 } = await client.order<AirBlastDetail>('airBlast.plan', {
      name,
      change: { kind: 'document', document: 'DevicePortal-storage-usage' },
      target: { kind: 'devices', deviceIds },
      options: { successPercent: 50 },
      idempotencyKey: randomUUID(),
    });
    onTestFinished(() => abortAirBlast(client, id));
    const operator = await stage.open('operator', `/air-blast/${id}`);
    await pressWhenReady(operator, 'Assume the AirBlast role');
    await pressWhenReady(operator, 'Start preflight');
    await pressWhenReady(operator, 'Start the canaries');
    await operator.getByText('A second person has to approve the target set').first().waitFor();
    const approver = await openSignedIn(address);
    await approver.getByRole('button', { name: /^Notifications/ }).click();
    await approver.getByRole('link', { name: `${name} waits for your approval` }).click();
    const asked = approver.getByRole('heading', { name: 'Your approval is asked for' });
    await asked.waitFor();
    await approver.getByRole('link', { name: 'DevicePortal-storage-usage:1' }).waitFor();
    await approver.getByText(targetSha256).first().waitFor();
    await approver.getByText(`${APPROVAL_DEVICES} devices,`).first().waitFor();
    expect(await findViolations(approver)).toEqual([]);
    await pressWhenReady(approver, 'Approve the target set');
    await asked.waitFor({ state: 'detached' });
    // It learns of it by itself.
    await operator
      .getByRole('button', { name: 'Start the blast' })
      .waitFor({ timeout: DEVICE_PATIENCE_MS });
    await pressWhenReady(operator, 'Start the blast');
    const verify = operator.getByRole('button', { name: 'Verify' });
    await verify.waitFor({ timeout: DEVICE_PATIENCE_MS });
    await operator.goto(`/air-blast/${id}/report`);
    await operator.getByText('AirBlast approved').first().waitFor();
    expect(await findViolations(operator)).toEqual([]);
  });

  test('[e2e-air-blast-3] all that match in the device list are planned for, with nothing chosen again', async () => {
    const { model } = fleet.takeOnline();
    const document = 'DevicePortal-storage-usage';
    const operator = await PortalClient.signIn('operator');
    const { count } = await operator.ask<{ count: number }>('commands.previewTarget', {
      command: 'document',
      document,
      target: { kind: 'filter', filter: { tokens: [modelIs(model)] } },
    });
    const page = await stage.open('operator', `/devices?q=model%3D${model ?? ''}`);
    await bodyRows(page).first().waitFor();
    await choose(page, 'Actions', /^Select all \d+ matches$/);
    await choose(page, 'Actions', 'AirBlast');
    await page.waitForURL('**/air-blast?**');
    await page.goto(`${page.url()}&document=${document}`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Every one of a model');
    await pressWhenReady(page, 'Freeze the target set');
    await heading(page, 'Every one of a model').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const { targetCount } = await operator.ask<AirBlastDetail>('airBlast.get', { id });
    expect(targetCount).toBe(count);
  });
});

/** Somebody who reads devices and documents and approves AirBlasts, and no more. */
async function inviteApprover(): Promise<string> {
  const admin = await PortalClient.signIn('admin');
  const suffix = Date.now().toString(36);
  const role = await admin.order<{ id: string }>('access.roles.create', {
    name: `Second person ${suffix}`,
    permissions: ['air-blast:approve', 'devices:read', 'documents:read'],
    scope: {},
  });
  const identifier = `second-${suffix}@example.com`;
  await admin.order('access.users.invite', { identifier, roleIds: [role.id] });
  return identifier;
}

async function openSignedIn(address: string): Promise<Page> {
  const page = await stage.openStranger('/signin?next=%2F');
  const askedAt = await askForCode(page, address);
  await codeField(page).fill(await readCode(address, askedAt));
  await page.locator('#top-bar').waitFor();
  return page;
}

const modelIs = (model: string | null) => ({ key: 'model', operator: '=', values: [model] });
