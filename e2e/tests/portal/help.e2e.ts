import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PortalClient } from '../../support/portal-client.ts';
import { signInNewUser } from '../../support/sign-in-new-user.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading, pressOutsideFields } from '../../support/words.ts';

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

  test('Escape closes the help that `h` opened, and returns the focus', async () => {
    const page = await testBrowser.open('support', '/cases?show=all');
    const help = page.getByRole('complementary', { name: 'Help' });
    const open = page.getByRole('button', { name: 'Open case' }).first();
    await open.focus();
    await page.keyboard.press('h');
    await help.getByText(/one support intervention for one person/).waitFor();
    await expect
      .poll(() => help.evaluate((panel) => panel.contains(document.activeElement)))
      .toBe(true);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    expect(await open.evaluate((button) => button === document.activeElement)).toBe(true);

    // Without a focus before, it goes to the content of the page.
    await open.evaluate((button) => button.blur());
    await page.keyboard.press('h');
    await help.waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main-content');
  });

  test('a guide shows its pictures in the language of the user, and enlarges them', async () => {
    const name = 'A device: what is wrong, and the commands for it';
    const page = await testBrowser.open('support', '/guides/search-and-findings');
    const picture = page.getByRole('button', { name });
    const shown = picture.getByRole('img', { name });
    expect(await shown.getAttribute('loading')).toBe('lazy');
    await picture.scrollIntoViewIfNeeded();
    const widthOf = (image: Locator) =>
      image.evaluate((element: HTMLImageElement) => element.naturalWidth);
    await expect.poll(() => widthOf(shown)).toBe(1_440);
    const inText = (await shown.boundingBox())?.width ?? Number.NaN;
    const text = (await page.locator('.dp-guide').boundingBox())?.width ?? Number.NaN;
    expect(inText).toBeLessThanOrEqual(text);
    await picture.click();
    const dialog = page.getByRole('dialog', { name });
    await expect
      .poll(async () => (await dialog.getByRole('img').boundingBox())?.width)
      .toBeGreaterThan(inText * 1.3);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await picture.evaluate((button) => button === document.activeElement)).toBe(true);

    const appearance = { ...look, language: 'zh-CN' } as const;
    const chinese = await testBrowser.open('support', '/guides/search-and-findings', {
      appearance,
    });
    const translated = chinese.getByRole('img', { name: '设备存在的异常以及建议执行的命令' });
    const source = (await translated.getAttribute('src')) ?? '';
    expect(source).toContain('device.zh');
    const reply = await chinese.request.get(source);
    expect(reply.headers()).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
    });
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
