import { beforeAll, describe, expect, test } from 'vitest';
import { signInNewUser } from '../../support/sign-in-new-user.ts';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';

const testBrowser = openTestBrowser();
let admin: PortalClient;
let fleet: Fleet;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  fleet = await readFleet(admin);
});

describe('runs that need an approval', () => {
  test('a factory reset of two devices is requested, approved by another user, and starts', async () => {
    const devices = [fleet.takeOnline(), fleet.takeOnline()];
    // Users who can approve are notified of the request.
    const look = { theme: 'light', density: 'comfortable', language: 'en' } as const;
    const colleague = await signInNewUser(testBrowser, admin, { role: 'Administrator', look });
    const { id } = await admin.order<{ id: string }>('devices.createTargetList', {
      name: 'Two',
      text: devices.map(({ serialNumber }) => serialNumber).join('\n'),
    });
    const page = await testBrowser.open('admin', `/commands/factory-reset?targets=${id}`);
    await page.getByText('2 devices').first().waitFor();
    const request = { name: 'Request approval', exact: true } as const;
    await page.getByRole('main').getByRole('button', request).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The run policy requires approval by another user').waitFor();
    await dialog.getByRole('textbox').fill('2');
    await dialog.getByRole('button', request).click();
    await page.getByText('You requested this run. Another user must approve it.').waitFor();
    await colleague.getByRole('button', { name: /^Notifications/ }).click();
    await colleague.getByRole('link', { name: 'factory-reset needs your approval' }).click();
    await colleague.getByText('Fingerprint of the whole run').waitFor();
    await colleague.getByText('Erases data on the device. This cannot be undone.').waitFor();
    await colleague.getByRole('button', { name: 'Approve and start' }).click();
    await colleague.getByText(/^Approved by colleague/).waitFor();
    await page.getByText(/^Approved by colleague/).waitFor();
  });

  test('a change of the policy shows its author', async () => {
    const page = await testBrowser.open('admin', '/uam/run-policy');
    const field = page.getByRole('textbox', {
      name: 'AirBlast rollout (minimum devices): Changes',
    });
    await field.fill('x');
    // At the field, and as the reason of the disabled button.
    await page.getByText('Enter a whole number of 1 or more').first().waitFor();
    await field.fill('900000');
    await page.getByRole('button', { name: 'Save policy' }).click();
    await page.getByText('Run policy saved').waitFor();
    await page.reload();
    await page.getByText(/^Changed by admin/).waitFor();
    expect(await field.inputValue()).toBe('900000');
    await field.fill('');
    await page.getByRole('button', { name: 'Save policy' }).click();
    await page.getByText('Run policy saved').waitFor();
  });
});
