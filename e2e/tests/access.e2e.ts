import { expect, test } from 'vitest';
import { askForCode, codeField, readCode } from '../support/sign-in.ts';
import { openStage } from '../support/stage.ts';
import { choose, heading } from '../support/words.ts';

const stage = openStage();

test('[e2e-access-1] a role is made, somebody invited to it sees exactly it, and is thrown out when suspended', async () => {
  const suffix = Date.now().toString(36);
  const role = `Night shift ${suffix}`;
  const address = `nina-${suffix}@example.com`;

  const page = await stage.open('admin', '/uam/roles?create=true');
  await page.getByLabel('Name', { exact: true }).fill(role);
  await page.getByRole('checkbox', { name: /See devices and their state/ }).check();
  await page.getByText(/^Home · Devices$/).waitFor();
  await page.getByRole('button', { name: 'Create role' }).click();
  await heading(page, role).waitFor();

  await page.goto('/uam/users');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByLabel('Signs in as').fill(address);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /No roles/ })
    .click();
  await page.getByRole('option', { name: new RegExp(role) }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await heading(page, address).waitFor();

  const invited = await stage.openStranger('/signin?next=%2Fdevices');
  stage.expectTrouble(invited, /401|403|WebSocket|invalid session/);
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
  await invited.locator('input[autocomplete="username"]').waitFor();
});

test('[e2e-access-2] a role for a time is asked for, given, counted down and given back, all without a reload', async () => {
  const asker = await stage.open('viewer', '/api-calls');
  await asker.getByRole('button', { name: 'Ask for a role for a time' }).click();
  const dialog = asker.getByRole('dialog');
  await dialog.getByRole('button', { name: /Choose a role/ }).click();
  await asker.getByRole('option', { name: /Auditor/ }).click();
  await dialog.getByText(/You would gain: .*See who called the API/).waitFor();
  await dialog.getByLabel('Reason').fill('Which program asks so often?');
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await asker.getByText('Waiting for approval').waitFor();
  // One's own is for somebody else to answer: the buttons say so.
  const own = asker.getByRole('button', { name: /^Approve Auditor/ });
  expect(await own.getAttribute('aria-disabled')).toBe('true');
  await own.hover();
  await asker.getByText('somebody else answers it').filter({ visible: true }).first().waitFor();

  const approver = await stage.open('admin', '/');
  await approver.getByRole('link', { name: 'viewer@deviceportal.local asks for Auditor' }).click();
  await approver
    .getByRole('button', { name: 'Approve Auditor for viewer@deviceportal.local' })
    .click();
  await approver.getByText('In force', { exact: true }).waitFor();

  const bar = asker.getByRole('region', { name: 'Role for a time' });
  await bar.getByText('You hold the role Auditor for a time').waitFor();
  expect(await bar.getByRole('timer').textContent()).toMatch(/^(59|60|1:00):\d\d.* left/);
  await asker.getByRole('link', { name: 'API calls', exact: true }).click();
  await heading(asker, 'API calls').waitFor();
  await bar.getByRole('button', { name: 'End my role Auditor now' }).click();
  await bar.waitFor({ state: 'detached' });
  await asker.getByText(/You don’t have access to API calls/).waitFor();
});
