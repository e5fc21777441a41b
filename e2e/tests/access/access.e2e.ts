import { expect, inject, test } from 'vitest';
import { lockOut } from '../../../apps/server/tests/support/lock-out.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { addressOf, askForCode, codeField, readCode } from '../../support/sign-in.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { choose, heading, rowOf } from '../../support/words.ts';

const testBrowser = openTestBrowser();

test('a role is created, an invited user sees exactly what it allows, and is signed out when suspended', async () => {
  const suffix = Date.now().toString(36);
  const role = `Night shift ${suffix}`;
  const address = `nina-${suffix}@example.com`;

  const page = await testBrowser.open('admin', '/uam/roles?create=true');
  await page.getByLabel('Name', { exact: true }).fill(role);
  await page.getByRole('checkbox', { name: /View devices and their status/ }).check();
  await page.getByText(/^Home · Devices · Metrics$/).waitFor();
  await page.getByRole('button', { name: 'Create role' }).click();
  await heading(page, role).waitFor();

  await page.goto('/uam/users');
  await page.getByRole('button', { name: 'Invite user', exact: true }).click();
  await page.getByLabel('Signs in as').fill(address);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /No roles/ })
    .click();
  await page.getByRole('option', { name: new RegExp(role) }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await heading(page, address).waitFor();

  const invited = await testBrowser.openSignedOut('/signin?next=%2Fdevices');
  testBrowser.expectErrors(invited, /401|403|WebSocket|invalid session/);
  const askedAt = await askForCode(invited, address);
  await codeField(invited).fill(await readCode(address, askedAt));
  await heading(invited, 'Devices').waitFor();
  await invited.locator('main table tbody a[href^="/devices/"]').first().waitFor();
  for (const area of ['Documents', 'Users', 'Audit trail'])
    expect(await invited.getByRole('link', { name: area, exact: true }).count()).toBe(0);

  await choose(page, 'Manage', 'Suspend');
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await page.getByText(`${address} is suspended.`).waitFor();
  await invited.goto('/devices');
  await invited.locator('input[autocomplete^="username"]').waitFor();
});

test('temporary access is requested, approved, counted down, and ended, all without a reload', async () => {
  const asker = await testBrowser.open('viewer', '/api-calls');
  await asker.getByRole('button', { name: 'Request temporary access' }).click();
  const dialog = asker.getByRole('dialog');
  await dialog.getByRole('button', { name: /Choose a role/ }).click();
  await asker.getByRole('option', { name: /Auditor/ }).click();
  await dialog.getByText(/Adds these permissions: .*View API calls/).waitFor();
  await dialog.getByLabel('Reason').fill('Which program asks so often?');
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await asker.getByText('Waiting for approval').waitFor();
  // The buttons state that users cannot decide on their own requests.
  const own = asker.getByRole('button', { name: /^Approve Auditor/ });
  expect(await own.getAttribute('aria-disabled')).toBe('true');
  await own.hover();
  await asker.getByText('Another user must approve it').filter({ visible: true }).first().waitFor();

  const approver = await testBrowser.open('admin', '/');
  await approver.getByRole('link', { name: 'viewer@deviceportal.local requests Auditor' }).click();
  await approver
    .getByRole('button', { name: 'Approve Auditor for viewer@deviceportal.local' })
    .click();
  await approver.getByText('Active', { exact: true }).waitFor();

  const bar = asker.getByRole('region', { name: 'Temporary access' });
  await bar.getByText('Temporary access: Auditor').waitFor();
  expect(await bar.getByRole('timer').textContent()).toMatch(/^(59|60|1:00):\d\d.* left/);
  await asker.getByRole('link', { name: 'API calls', exact: true }).click();
  await heading(asker, 'API calls').waitFor();
  await bar.getByRole('button', { name: 'End my temporary access (Auditor) now' }).click();
  await bar.waitFor({ state: 'detached' });
  await asker.getByText(/You don’t have access to API calls/).waitFor();
});

test('an administrator unlocks an account that was locked by wrong codes, and its user signs in', async () => {
  const address = `locked-${Date.now().toString(36)}@example.com`;
  const client = await PortalClient.signIn('admin');
  const { id } = await client.order<{ id: string }>('access.users.invite', {
    ...{ identifier: address, roleIds: [(await roleOf(client, 'Viewer')).id] },
  });
  await lockOut(inject('portalUrl'), address);

  const owner = await testBrowser.openSignedOut('/signin?next=%2Fdevices');
  testBrowser.expectErrors(owner, /400|401/);
  const lockedAt = await askForCode(owner, address);
  await codeField(owner).fill(await readCode(address, lockedAt));
  await owner.getByText('That code isn’t right.').waitFor();

  const admin = await testBrowser.open('admin', `/uam/users/${id}`);
  const alert = admin.locator('main').getByText('This account is locked');
  await alert.waitFor();
  await admin.getByText(/^Locked on .* after 100 incorrect codes or passwords in a row/).waitFor();
  await admin.getByRole('button', { name: 'Unlock account' }).click();
  await admin.getByText(`The account of ${address} was unlocked.`).waitFor();
  await alert.waitFor({ state: 'detached' });

  await owner.getByRole('button', { name: 'Not you? Change' }).click();
  const openAt = await askForCode(owner, address);
  await codeField(owner).fill(await readCode(address, openAt));
  await heading(owner, 'Devices').waitFor();
});

test('revoked temporary access ends what was created with it, and both users’ screens show that', async () => {
  const client = await PortalClient.signIn('admin');
  const holding = await PortalClient.signIn('viewer');
  const { id: roleId } = await roleOf(client, 'Administrator');
  const asked = await holding.order<{ id: string }>('access.accessGrants.ask', {
    ...{ roleId, reason: 'The night shift', minutes: 60 },
  });
  await client.order('access.accessGrants.grant', { id: asked.id });

  const holder = await testBrowser.open('viewer', '/devices');
  const bar = holder.getByRole('region', { name: 'Temporary access' });
  await bar.getByText('Temporary access: Administrator').waitFor();
  await holder.getByRole('button', { name: 'Add device' }).click();
  const dialog = holder.getByRole('dialog');
  const created = holder.waitForResponse((reply) => reply.url().includes('devices.createClaim'));
  await dialog.getByRole('button', { name: 'Create claim' }).click();
  await dialog.getByText(/Ends with temporary access \(Administrator\)/).waitFor();
  const [, claimToken = ''] = /"token":"([^"]+)"/.exec(await (await created).text()) ?? [];
  await dialog.getByRole('button', { name: 'Done' }).click();
  await holder.goto('/api-calls');
  await heading(holder, 'API calls').waitFor();

  const admin = await testBrowser.open('admin', '/uam/temporary-access');
  const name = addressOf('viewer');
  await admin.getByRole('button', { name: `End Administrator of ${name}` }).click();
  await holder.getByText(/You don’t have access to API calls/).waitFor();
  await bar.waitFor({ state: 'detached' });

  await admin.getByRole('button', { name: 'All', exact: true }).click();
  const row = rowOf(admin, 'The night shift').first();
  await row.getByText('by an administrator').waitFor();
  await row.getByRole('button', { name: `Created by ${name}` }).click();
  const made = admin.getByRole('dialog').getByRole('row', { name: /Enrollment claim/ });
  await made.getByText('Ended', { exact: true }).waitFor();
  const enrolled = await fetch(`${inject('portalUrl')}/enrol`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...machine, claimToken }),
  });
  expect(enrolled.status).toBe(403);
});

test('a user without a role sees nothing of the portal until a role is assigned, and then needs no reload', async () => {
  const address = `no-role-${Date.now().toString(36)}@example.com`;
  const client = await PortalClient.signIn('admin');
  const { id } = await client.order<{ id: string }>('access.users.invite', {
    ...{ identifier: address, roleIds: [] },
  });
  const page = await testBrowser.openSignedOut('/signin?next=%2Fdevices');
  testBrowser.expectErrors(page, /403|no permission/);
  const askedAt = await askForCode(page, address);
  await codeField(page).fill(await readCode(address, askedAt));
  await heading(page, 'No role is assigned to you').waitFor();
  expect(await page.getByRole('link', { name: 'Devices', exact: true }).count()).toBe(0);
  await client.order('access.users.changeRoles', {
    ...{ id, add: [(await roleOf(client, 'Viewer')).id], remove: [] },
  });
  await heading(page, 'Devices').waitFor();
});

/**
 * Reported by the machine. A claim that has ended is rejected before the certificate request is
 * read.
 */
const machine = {
  ...{ serialNumber: 'E2E-TAKEN-ACCESS', model: 'kiosk', hostName: 'host', architecture: 'x64' },
  ...{ platformType: 'Linux', platformName: 'Ubuntu', platformVersion: '24.04' },
  ...{ agentVersion: '1.0.0', certificateRequest: 'none' },
};

async function roleOf(client: PortalClient, name: string): Promise<{ readonly id: string }> {
  const roles = await client.ask<{ id: string; name: string }[]>('access.roles.list', undefined);
  const found = roles.find((role) => role.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}
