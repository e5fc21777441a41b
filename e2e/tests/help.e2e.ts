import { describe, expect, test } from 'vitest';
import { PortalClient } from '../support/portal-client.ts';
import { signInNewUser } from '../support/sign-in-new-user.ts';
import { openTestBrowser } from '../support/test-browser.ts';
import { heading, pressOutsideFields } from '../support/words.ts';

const testBrowser = openTestBrowser();
const look = { theme: 'light', density: 'comfortable', language: 'en' } as const;

describe('help', () => {
  test('`h` opens the help of the page with its guide, and closes it', async () => {
    const page = await testBrowser.open('support', '/cases?show=all');
    await heading(page, 'Cases').waitFor();
    await pressOutsideFields(page, 'h');
    await page.getByText(/one support intervention for one person/).waitFor();
    await page.getByRole('link', { name: 'Guide: Support cases' }).click();
    await heading(page, 'Support cases').waitFor();
    await page.getByRole('columnheader', { name: 'how it works' }).waitFor();
    // The help now belongs to the guide.
    await page.getByText(/describes a task from start to end/).waitFor();
    await pressOutsideFields(page, 'h');
    await page.getByText(/describes a task from start to end/).waitFor({ state: 'hidden' });
  });

  test('a guide leads to another guide, at the heading of the link', async () => {
    const page = await testBrowser.open('support', '/guides/support-cases');
    await page.getByRole('main').getByRole('link', { name: 'audit trail verification' }).click();
    await page.waitForURL('**/guides/audit-proof#*');
    await page.getByRole('heading', { name: 'Proof of a result, a case, or a rollout' }).waitFor();
  });

  test('a guide is in Chinese for a user with that language, or in English if it is not translated', async () => {
    const appearance = { ...look, language: 'zh-CN' } as const;
    const page = await testBrowser.open('support', '/cases', { appearance });
    await heading(page, '服务单').waitFor();
    await pressOutsideFields(page, 'h');
    await page.getByRole('link', { name: '指南：服务单' }).click();
    await page.getByRole('columnheader', { name: '说明' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: '审计日志校验' }).click();
    await page.getByRole('heading', { name: '结果、服务单和发布任务的证明' }).waitFor();
    await page.goto('/guides/audit-proof#anchors');
    await page.getByRole('heading', { name: '锚定', exact: true }).waitFor();
    expect(await page.getByText('本指南仅提供英文版。').count()).toBe(0);
    await page.goto('/guides/extending');
    await page.getByText('本指南仅提供英文版。').waitFor();
    await page.locator('.dp-guide[lang="en"]').waitFor();
  });

  test('an unknown guide is reported', async () => {
    const page = await testBrowser.open('support', '/guides/nothing');
    await heading(page, 'No guide has this name').waitFor();
  });
});

describe('the setup of an installation', () => {
  test('its steps are on the home page of an administrator until they are dismissed', async () => {
    // An own user, because dismissing is stored for the user.
    const admin = await PortalClient.signIn('admin');
    const page = await signInNewUser(testBrowser, admin, { role: 'Administrator', look });
    const steps = page.getByRole('main').locator('.home-setup > li');
    await steps.filter({ hasText: 'Connect a device' }).getByText('Done').waitFor();
    await steps.filter({ hasText: 'Set up backups and messages' }).getByText('To do').waitFor();
    await steps.getByRole('link', { name: 'Invite users' }).click();
    await heading(page, /^Users/).waitFor();
    await page.goto('/');
    await steps.first().waitFor();
    const saved = page.waitForResponse(/session\.savePreferences/);
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await steps.first().waitFor({ state: 'detached' });
    await saved;
    await page.reload();
    await page.getByText('My runs').waitFor();
    expect(await steps.count()).toBe(0);
  });

  test('they are not shown to other users', async () => {
    const page = await testBrowser.open('operator', '/');
    await page.getByText('My runs').waitFor();
    expect(await page.locator('.home-setup').count()).toBe(0);
  });
});
