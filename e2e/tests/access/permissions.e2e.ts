import { beforeAll, describe, expect, test } from 'vitest';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { bodyRows, heading, rowOf } from '../../support/words.ts';

const testBrowser = openTestBrowser();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await readFleet(await PortalClient.signIn('admin'));
});

describe('missing permissions', () => {
  test('a viewer sees devices without the names of owners', async () => {
    const device = fleet.owned;
    const page = await testBrowser.open(
      'viewer',
      `/devices?q=serialNumber%3D${device.serialNumber}`,
    );
    await rowOf(page, device.serialNumber).waitFor();
    const text = await page.locator('main table tbody').last().textContent();
    expect(text).toContain('•');
    expect(text).not.toContain(device.owner.name);
  });

  test('areas without permission are not linked, and their address shows the missing permission', async () => {
    const page = await testBrowser.open('viewer', '/');
    await page.getByRole('link', { name: 'Devices', exact: true }).waitFor();
    for (const area of ['Users', 'Roles', 'API calls'])
      expect(await page.getByRole('link', { name: area, exact: true }).count()).toBe(0);
    await page.goto('/uam/users');
    await heading(page, /You don’t have access/).waitFor();
    await page.getByText('access:read').waitFor();
  });

  test('support can run read-only commands, while disruptive ones are disabled with the reason', async () => {
    const page = await testBrowser.open(
      'support',
      `/commands/restart/device?device=${fleet.real.id}`,
    );
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await run.waitFor();
    expect(await run.getAttribute('aria-disabled')).toBe('true');
    const reason = page.getByText(/You need the permission/).filter({ visible: true });
    // The form may still grow under a pointer that does not move, so it is moved again.
    await expect
      .poll(async () => {
        await page.mouse.move(0, 0);
        await run.hover();
        return reason
          .first()
          .waitFor({ timeout: 2_000 })
          .then(
            () => true,
            () => false,
          );
      })
      .toBe(true);
    await page.goto(`/commands/storage/usage?device=${fleet.real.id}`);
    await run.click();
    await page.getByText('Succeeded').first().waitFor();
  });

  test('a user who cannot run a command sees the reason and can request access', async () => {
    const page = await testBrowser.open(
      'support',
      `/commands/restart/device?device=${fleet.owned.id}`,
    );
    await page
      .getByText(
        /You need the permission “Run the command restart\/device” or “Run disruptive commands/,
      )
      .waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy access request' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain(`run restart/device on ${fleet.owned.serialNumber}`);
    await page.getByRole('link', { name: 'Request temporary access' }).click();
    await page.getByRole('dialog', { name: 'Request temporary access' }).waitFor();
  });

  test('a viewer cannot add devices, and the button shows the required permission', async () => {
    const page = await testBrowser.open('viewer', '/devices');
    await bodyRows(page).first().waitFor();
    const add = page.getByRole('button', { name: 'Add device' });
    expect(await add.getAttribute('aria-disabled')).toBe('true');
    await add.hover();
    await page
      .getByText(/devices:manage/)
      .filter({ visible: true })
      .first()
      .waitFor();
  });
});
