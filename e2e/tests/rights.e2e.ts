import { beforeAll, describe, expect, test } from 'vitest';
import { readFleet, type Fleet } from '../support/fleet.ts';
import { PortalClient } from '../support/portal-client.ts';
import { openTestBrowser } from '../support/test-browser.ts';
import { bodyRows, heading, rowOf } from '../support/words.ts';

const testBrowser = openTestBrowser();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await readFleet(await PortalClient.signIn('admin'));
});

describe('what one may not', () => {
  test('[e2e-rights-1] a viewer sees devices, but no names of owners', async () => {
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

  test('[e2e-rights-2] areas one may not read are not offered, and their address says what is missing', async () => {
    const page = await testBrowser.open('viewer', '/');
    await page.getByRole('link', { name: 'Devices', exact: true }).waitFor();
    for (const area of ['Users', 'Roles', 'API calls'])
      expect(await page.getByRole('link', { name: area, exact: true }).count()).toBe(0);
    await page.goto('/uam/users');
    await heading(page, /You don’t have access/).waitFor();
    await page.getByText('access:read').waitFor();
  });

  test('[e2e-rights-3] support may run what reads, while what disrupts is disabled and says why', async () => {
    const page = await testBrowser.open(
      'support',
      `/commands/restart/device?device=${fleet.real.id}`,
    );
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await run.waitFor();
    expect(await run.getAttribute('aria-disabled')).toBe('true');
    const reason = page.getByText(/You need the permission/).filter({ visible: true });
    // The form may still grow under a pointer that stands: a person points once more.
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

  test('[e2e-rights-5] who may not run a command is told so in plain words, and can ask for it', async () => {
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

  test('[e2e-rights-4] a viewer cannot add devices; the button says what is needed', async () => {
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
