import { describe, expect, test } from 'vitest';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { heading, rowOf } from '../../support/words.ts';

const testBrowser = openTestBrowser();

describe('keys of the installation', () => {
  test('each key is shown with fingerprint, age, and the command that rotates it', async () => {
    const admin = await PortalClient.signIn('admin');
    const { secrets } = await admin.ask<{
      secrets: readonly { readonly name: string; readonly fingerprint: string }[];
    }>('installation.keys', undefined);
    const page = await testBrowser.open('admin', '/uam/keys');
    const words = {
      'installation-key': ['Installation key', /After 365 days, or by command/],
      'device-authority': ['Device authority', /After 1,095 days, or by command/],
      audit: ['Audit key', /After 365 days, or by command/],
      runs: ['Run signing key', /After 365 days, or by command/],
      releases: ['Release key', /After 365 days, or by command/],
    } as const;
    for (const [name, [title, rotation]] of Object.entries(words)) {
      const row = rowOf(page, title);
      await row.getByText(rotation).waitFor();
      const fingerprint = secrets.find((secret) => secret.name === name)?.fingerprint ?? '-';
      expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
      await row.getByText(fingerprint.slice(0, 16)).waitFor();
      await row.locator('time').waitFor();
    }
    expect(await page.locator('main table tbody tr').count()).toBe(5);
    await page.getByText('npm run admin -- rotate installation').waitFor();
    await page.getByText('Files in the data folder of each server').waitFor();
    await page.getByText('DEVICEPORTAL_SECRETS').waitFor();
  });

  test('texts are in Chinese for a user with that language', async () => {
    const look = { theme: 'light', density: 'comfortable', language: 'zh-CN' } as const;
    const page = await testBrowser.open('admin', '/uam/keys', { appearance: look });
    await heading(page, '系统密钥').waitFor();
    await rowOf(page, '主密钥').getByText('365 天后自动轮换').waitFor();
  });

  test('without access:read, keys are neither linked nor returned', async () => {
    const page = await testBrowser.open('support', '/');
    await page.getByRole('link', { name: 'Devices', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Installation keys' }).count()).toBe(0);
    await page.goto('/uam/keys');
    await heading(page, /You don’t have access/).waitFor();
    const support = await PortalClient.signIn('support');
    await expect(support.ask('installation.keys', undefined)).rejects.toThrow(/access:read/);
  });

  test('each command fits on one line at a width of 1440 pixels', async () => {
    const page = await testBrowser.open('admin', '/uam/keys');
    await page.setViewportSize({ width: 1440, height: 900 });
    const commands = page.getByText(/^npm run admin -- /);
    await commands.first().waitFor();
    const lines = await commands.evaluateAll((found) =>
      found.map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      }),
    );
    expect(lines).toEqual([1, 1, 1, 1, 1]);
  });
});
