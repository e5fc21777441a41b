import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { abortAirBlast } from '../../support/abort-air-blast.ts';
import { findViolations } from '../../support/accessibility.ts';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { DEVICE_TIMEOUT_MS } from '../../support/timeouts.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { askForCode, codeField, readCode } from '../../support/sign-in.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { APPROVAL_DEVICES } from '../../support/start-portal.ts';
import { pressWhenReady } from '../../support/words.ts';

const testBrowser = openTestBrowser();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await readFleet(await PortalClient.signIn('admin'));
});

test('an approver is notified, sees what the approval covers, and the operator continues', async () => {
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
  const operator = await testBrowser.open('operator', `/air-blast/${id}`);
  await pressWhenReady(operator, 'Assume the AirBlast role');
  await pressWhenReady(operator, 'Start preflight');
  await pressWhenReady(operator, 'Start canary');
  await operator.getByText('A second person must approve the plan').first().waitFor();
  const approver = await openSignedIn(address);
  await approver.getByRole('button', { name: /^Notifications/ }).click();
  await approver.getByRole('link', { name: `${name} needs your approval` }).click();
  const asked = approver.getByRole('heading', { name: 'Your approval is required' });
  await asked.waitFor();
  await approver.getByRole('link', { name: 'DevicePortal-storage-usage:1' }).first().waitFor();
  await approver.getByText(targetSha256).first().waitFor();
  await approver.getByText(`${APPROVAL_DEVICES} devices,`).first().waitFor();
  await approver.getByRole('heading', { name: 'Rollout strategy' }).waitFor();
  await approver.getByText('50%', { exact: true }).first().waitFor();
  expect(await findViolations(approver)).toEqual([]);
  await approver.getByRole('textbox', { name: 'Comment' }).fill('Checked with the site');
  await pressWhenReady(approver, 'Approve plan');
  await asked.waitFor({ state: 'detached' });
  // The page of the operator updates without a reload.
  await operator
    .getByRole('button', { name: 'Start rollout' })
    .waitFor({ timeout: DEVICE_TIMEOUT_MS });
  await pressWhenReady(operator, 'Start rollout');
  await operator.getByRole('dialog').getByRole('button', { name: 'Start rollout' }).click();
  const verify = operator.getByRole('button', { name: 'Verify' });
  await verify.waitFor({ timeout: DEVICE_TIMEOUT_MS });
  await operator.goto(`/air-blast/${id}/report`);
  await operator.getByText('AirBlast approved').first().waitFor();
  await operator.getByText('Checked with the site').first().waitFor();
  expect(await findViolations(operator)).toEqual([]);
});

/**
 * Invites a user who can read devices and documents and approve rollouts, without other
 * permissions.
 */
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
  const page = await testBrowser.openSignedOut('/signin?next=%2F');
  const askedAt = await askForCode(page, address);
  await codeField(page).fill(await readCode(address, askedAt));
  await page.locator('#top-bar').waitFor();
  return page;
}
