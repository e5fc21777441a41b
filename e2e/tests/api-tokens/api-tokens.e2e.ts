import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading, rowOf } from '../../support/words.ts';

const testBrowser = openTestBrowser();

describe('API tokens', () => {
  test('a user creates a token, copies it once, calls the API with it, and revokes it', async () => {
    const name = `nightly ${Date.now()}`;
    const page = await testBrowser.open('support', '/profile');
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByLabel('Days until the token expires').fill('3');
    await dialog.getByText('View devices', { exact: false }).first().click();
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByText(/^dpat_[0-9A-Za-z]{49}$/).textContent();
    const status = async (): Promise<number> =>
      (
        await fetch(new URL('/api/v1/devices', page.url()), {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    expect(await status()).toBe(200);
    await page.getByRole('button', { name: 'I saved the secret' }).click();
    await page.getByText('Tokens expire within 7 days').waitFor();
    await rowOf(page, name)
      .getByRole('button', { name: `Actions for ${name}` })
      .click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await rowOf(page, name)
      .getByText(/^Revoked on/)
      .waitFor();
    expect(await status()).toBe(401);
  });

  test('an administrator creates a service token; an auditor sees it and cannot revoke it', async () => {
    const name = `warehouse ${Date.now()}`;
    const page = await testBrowser.open('admin', '/uam/api-tokens');
    await page.getByRole('button', { name: 'Create service token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByRole('button', { name: /Roles/ }).click();
    await page.getByRole('option', { name: /^Viewer/ }).click();
    await page.keyboard.press('Tab');
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await page.getByText(/^dpst_[0-9A-Za-z]{49}$/).waitFor();
    const auditor = await testBrowser.open('auditor', '/uam/api-tokens');
    await rowOf(auditor, name).getByText('Viewer').waitFor();
    const create = auditor.getByRole('button', { name: 'Create service token' });
    expect(await create.getAttribute('aria-disabled')).toBe('true');
  });

  test('texts are in Chinese for a user with that language', async () => {
    const look = { theme: 'light', density: 'comfortable', language: 'zh-CN' } as const;
    const page = await testBrowser.open('admin', '/uam/api-tokens', { appearance: look });
    await heading(page, 'API 令牌').waitFor();
    await page.getByRole('button', { name: '创建服务令牌' }).waitFor();
  });
});

interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
}

const post = async <Body>(page: Page, path: string, form: Record<string, string>): Promise<Body> =>
  (await page.request.post(path, { form })).json() as Promise<Body>;

const start = (page: Page): Promise<Codes> =>
  post(page, '/oauth/device-authorization', { client_id: 'e2e-cli', scope: 'devices:read' });

const collect = (page: Page, { device_code }: Codes) =>
  post<{ readonly access_token?: string; readonly error?: string }>(page, '/oauth/token', {
    ...{ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: 'e2e-cli' },
    device_code,
  });

describe('an application without a browser', () => {
  test('is approved by its link, after the user has compared the code', async () => {
    const page = await testBrowser.open('support', '/profile');
    const codes = await start(page);
    const { pathname, search } = new URL(codes.verification_uri_complete);
    await page.goto(pathname + search);
    await heading(page, 'Connect an application').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Only continue if you started this sign-in').waitFor();
    await page.getByText(codes.user_code, { exact: true }).waitFor();
    const approve = page.getByRole('button', { name: 'Approve' });
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    const name = `e2e laptop ${Date.now()}`;
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByText(`the application shows the code ${codes.user_code}`).click();
    await approve.click();
    await page.getByText('e2e-cli is approved').waitFor();
    const { access_token: token } = await collect(page, codes);
    expect(token).toMatch(/^dpat_/);
    await page.getByRole('link', { name: 'View your API tokens' }).click();
    await rowOf(page, name).waitFor();
  });

  test('is denied by its code, typed in small letters and without separator', async () => {
    const page = await testBrowser.open('support', '/activate');
    const codes = await start(page);
    await page.getByLabel('Code').fill(codes.user_code.replace('-', '').toLowerCase());
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('e2e-cli is denied').waitFor();
    expect((await collect(page, codes)).error).toBe('access_denied');
  });

  test('an unknown code is an error at its field', async () => {
    const page = await testBrowser.open('support', '/activate');
    testBrowser.expectErrors(page, /400 \(Bad Request\)|apiTokens\.findApplication/);
    await page.getByLabel('Code').fill('BBBB-BBBB');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('No application waits with this code').waitFor();
  });

  test('a user who cannot have tokens is told which permission is missing', async () => {
    const page = await testBrowser.open('viewer', '/activate');
    await page.getByText('api-tokens:create').first().waitFor();
  });

  test('texts are in Chinese for a user with that language', async () => {
    const look = { theme: 'light', density: 'comfortable', language: 'zh-CN' } as const;
    const page = await testBrowser.open('admin', '/activate', { appearance: look });
    await heading(page, '连接应用').waitFor();
    await page.getByRole('button', { name: '继续' }).waitFor();
  });
});
