import { beforeAll, describe, expect, test } from 'vitest';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading, rowOf } from '../../support/words.ts';

const testBrowser = openTestBrowser();

const name = `reviewed-${Date.now()}@example.com`;
let id: string;

/** A review with a user who has two roles. */
beforeAll(async () => {
  const admin = await PortalClient.signIn('admin');
  const roles = await admin.ask<{ id: string; name: string }[]>('access.roles.list', undefined);
  const roleIds = roles
    .filter((role) => ['Viewer', 'Auditor'].includes(role.name))
    .map((role) => role.id);
  await admin.order('access.users.invite', { identifier: name, roleIds });
  ({ id } = await admin.order<{ id: string }>('accessReviews.start', {}));
});

describe('access reviews', () => {
  test('an administrator finds a user, keeps one role, and removes another with a reason', async () => {
    const page = await testBrowser.open('admin', `/uam/access-reviews/${id}`);
    await page.getByRole('searchbox', { name: 'Find by user or role' }).fill(name);
    await page.waitForURL(/q=reviewed/);
    // The other users are gone.
    await page.locator('main table tbody tr').nth(2).waitFor({ state: 'detached' });
    await rowOf(page, 'Viewer').getByRole('checkbox').check({ force: true });
    await page.getByRole('button', { name: 'Keep (1)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep (1)' }).click();
    await rowOf(page, 'Viewer').waitFor({ state: 'detached' });
    await rowOf(page, 'Auditor').getByRole('checkbox').check({ force: true });
    await page.getByRole('button', { name: 'Remove (1)' }).click();
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Remove (1)' });
    expect(await submit.isEnabled()).toBe(false);
    await dialog.getByRole('textbox').fill('Changed teams');
    await submit.click();
    await rowOf(page, 'Auditor').waitFor({ state: 'detached' });
    await page.goto(`/uam/access-reviews/${id}?show=all&q=${encodeURIComponent(name)}`);
    await rowOf(page, 'Auditor').getByText('Changed teams').waitFor();
    await rowOf(page, 'Viewer').getByText('Kept').waitFor();
  });

  test('an auditor reads a review, exports it, and cannot decide', async () => {
    const page = await testBrowser.open('auditor', `/uam/access-reviews/${id}?show=all`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^access-review-\d{4}-\d\d-\d\d\.csv$/);
    const keep = page.getByRole('button', { name: 'Keep', exact: true });
    expect(await keep.getAttribute('aria-disabled')).toBe('true');
  });

  test('texts are in Chinese for a user with that language', async () => {
    const look = { theme: 'light', density: 'comfortable', language: 'zh-CN' } as const;
    const page = await testBrowser.open('admin', '/uam/access-reviews', { appearance: look });
    await heading(page, '权限审查').waitFor();
  });
});
