import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { confirmByCode, stepUpDialog } from '../../support/answer-step-ups.ts';
import { findViolations } from '../../support/accessibility.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { addressOf, codeField, readCode } from '../../support/sign-in.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import type { Look } from '../../support/looks.ts';

const testBrowser = openTestBrowser();
let admin: PortalClient;
let viewerRoleId: string;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  const roles = await admin.ask<{ id: string; name: string }[]>('access.roles.list', undefined);
  viewerRoleId = roles.find(({ name }) => name === 'Viewer')?.id ?? '';
});

/** The form of a new role with the permissions of another one. */
const newRole = (): string => `/uam/roles?create=true&from=${viewerRoleId}`;

const looks: readonly Look[] = [
  { theme: 'light', density: 'comfortable', language: 'en' },
  { theme: 'dark', density: 'compact', language: 'zh-CN' },
];

/** A new session whose second steps this test confirms. */
async function open(path: string, look: Look, width = 1440): Promise<Page> {
  const page = await testBrowser.open('admin', path, {
    ...{ ownSession: true, confirms: false, appearance: look },
    viewport: { width, height: 900 },
  });
  testBrowser.expectErrors(
    page,
    /status of 403|status of 400|mutation (?:stepUp\.confirmByCode|access\.roles\.create): /,
  );
  return page;
}

async function fillRole(page: Page, name: string, { language }: Look): Promise<void> {
  await page.getByLabel(language === 'en' ? 'Name' : '名称', { exact: true }).fill(name);
  await page
    .getByRole('button', { name: language === 'en' ? 'Create role' : '创建角色' })
    .last()
    .click();
}

describe('a sensitive action', () => {
  test('continues after a code, by keyboard, without losing the form', async () => {
    const [look] = looks as [Look];
    const page = await open(newRole(), look);
    const name = `Role ${randomUUID().slice(0, 8)}`;
    await fillRole(page, name, look);
    const dialog = stepUpDialog(page);
    await dialog.getByText('This action changes access rights.').waitFor();
    expect(await findViolations(page)).toEqual([]);

    // The button that sends the code has the focus.
    const askedAt = new Date(Date.now() - 1_000);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Send code to a•••@deviceportal.local');
    await page.keyboard.press('Enter');
    const field = dialog.locator(codeField(page));
    await field.waitFor();
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    const code = await readCode(addressOf('admin'), askedAt);
    await page.keyboard.type(code === '000000' ? '111111' : '000000');
    await dialog.getByText('This code is incorrect. Attempts left: 2.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.type(code);
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name }).first().waitFor();

    // The session is confirmed for five minutes.
    await page.goto(newRole());
    const next = `Role ${randomUUID().slice(0, 8)}`;
    await fillRole(page, next, look);
    await page.getByRole('heading', { name: next }).first().waitFor();
  });

  test('can be canceled, and then works when it is repeated', async () => {
    const [, look] = looks as [Look, Look];
    const page = await open(newRole(), look, 390);
    const name = `Role ${randomUUID().slice(0, 8)}`;
    await fillRole(page, name, look);
    const dialog = stepUpDialog(page);
    await dialog.getByText('此操作会变更访问权限').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('请确认是您本人操作').first().waitFor();
    expect(await page.getByLabel('名称', { exact: true }).inputValue()).toBe(name);
    await page.getByRole('button', { name: '创建角色' }).last().click();
    await confirmByCode(page);
    await page.getByRole('heading', { name }).first().waitFor();
  });

  test('is not shown as in progress before the confirmation', async () => {
    const [look] = looks as [Look];
    const page = await open('/audit-trail/device', look);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: /CSV/ }).click();
    await stepUpDialog(page).waitFor();
    expect(await page.getByText('You can leave this page').count()).toBe(0);
    await confirmByCode(page);
    await page.getByRole('dialog', { name: /Export/ }).waitFor();
  });

  test('in a dialog stays open behind the confirmation', async () => {
    const [look] = looks as [Look];
    const username = `leaver-${randomUUID().slice(0, 8)}@example.com`;
    const { id } = await admin.order<{ id: string }>('access.users.invite', {
      ...{ identifier: username, roleIds: [] },
    });
    await admin.order('access.users.changeStatus', { id, act: 'resign' });
    const page = await open(`/uam/users/${id}`, look);
    await page.getByRole('button', { name: 'Personal data' }).click();
    await page.getByRole('menuitem', { name: 'Erase personal data' }).click();
    const erase = page.getByRole('dialog', { name: 'Erase personal data?' });
    await erase.getByRole('textbox').fill(username);
    await erase.getByRole('button', { name: 'Erase personal data' }).click();
    await confirmByCode(page);
    await page.getByText(/now appears as erased-/).waitFor();
  });
});
