import { describe, expect, test } from 'vitest';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading, rowOf } from '../../support/words.ts';

const testBrowser = openTestBrowser();

describe('directory sync', () => {
  test('an administrator creates a connection, copies its token once, rotates, and revokes it', async () => {
    const name = `Entra ID ${Date.now()}`;
    const page = await testBrowser.open('admin', '/uam/directory-sync');
    await page.getByText(/\/scim\/v2$/).waitFor();
    await page.getByRole('button', { name: 'Create connection' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByRole('button', { name: 'Create connection' }).click();
    const token = page.getByText(/^dpscim_[\w-]{43}$/);
    const first = await token.textContent();
    const url = new URL('/scim/v2/Users?count=0', page.url()).href;
    const statusWith = async (bearer: string | null): Promise<number> =>
      (await fetch(url, { headers: { authorization: `Bearer ${bearer}` } })).status;
    expect(await statusWith(first)).toBe(200);
    await page.getByRole('button', { name: 'I saved the secret' }).click();
    await rowOf(page, name)
      .getByText(/^Valid until/)
      .waitFor();

    await rowOf(page, name)
      .getByRole('button', { name: `Actions for ${name}` })
      .click();
    await page.getByRole('menuitem', { name: 'Rotate token' }).click();
    await dialog.getByText('End the current token immediately').click();
    await dialog.getByRole('button', { name: 'Rotate token' }).click();
    const second = await token.textContent();
    expect(await Promise.all([first, second].map(statusWith))).toEqual([401, 200]);
    await page.getByRole('button', { name: 'I saved the secret' }).click();

    await rowOf(page, name)
      .getByRole('button', { name: `Actions for ${name}` })
      .click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await rowOf(page, name).waitFor({ state: 'detached' });
    expect(await statusWith(second)).toBe(401);
  });

  test('an auditor sees the connections and cannot change them', async () => {
    const page = await testBrowser.open('auditor', '/uam/directory-sync');
    await heading(page, 'Directory sync').waitFor();
    const create = page.getByRole('button', { name: 'Create connection' });
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    const auditor = await PortalClient.signIn('auditor');
    await expect(
      auditor.order('access.directoryConnections.create', { name: 'mine' }),
    ).rejects.toThrow(/access:manage/);
  });

  test('texts are in Chinese for a user with that language', async () => {
    const look = { theme: 'light', density: 'comfortable', language: 'zh-CN' } as const;
    const page = await testBrowser.open('admin', '/uam/directory-sync', { appearance: look });
    await heading(page, '目录同步').waitFor();
    await page.getByText('租户 URL（SCIM 基础 URL）').waitFor();
  });
});
