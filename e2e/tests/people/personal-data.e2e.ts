import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';

const testBrowser = openTestBrowser();
let admin: PortalClient;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
});

test('the data of a resigned user is exported and erased after typing the username', async () => {
  const username = `leaver-${randomUUID().slice(0, 8)}@example.com`;
  const { id } = await admin.order<{ id: string }>('access.users.invite', {
    ...{ identifier: username, roleIds: [] },
  });
  const page = await testBrowser.open('admin', `/uam/users/${id}`);
  const menu = page.getByRole('button', { name: 'Personal data' });
  const choose = async (name: string): Promise<void> => {
    await menu.click();
    await page.getByRole('menuitem', { name }).click();
  };

  const download = page.waitForEvent('download');
  await choose('Download record');
  const record = await readFile(await (await download).path(), 'utf8');
  expect(record).toContain(username);

  await choose('Erase personal data');
  const dialog = page.getByRole('dialog', { name: 'Erase personal data?' });
  await dialog.getByText('Change the status of the user to Resigned or Archived first.').waitFor();
  await expect
    .poll(() => dialog.getByRole('button', { name: 'Erase personal data' }).isDisabled())
    .toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await admin.order('access.users.changeStatus', { id, act: 'resign' });
  await choose('Erase personal data');
  await dialog.getByRole('textbox').fill(username);
  await dialog.getByRole('button', { name: 'Erase personal data' }).click();
  await page.getByText(/now appears as erased-/).waitFor();
  await page
    .getByRole('heading', { name: /^erased-/ })
    .first()
    .waitFor();
  await page.getByText('Personal data is erased, except for the last checks').waitFor();
  expect(await page.getByText(username).count()).toBe(0);
});
