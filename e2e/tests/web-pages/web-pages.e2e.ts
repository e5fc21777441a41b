import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../support/accessibility.ts';
import { signInNewUser } from '../../support/sign-in-new-user.ts';
import {
  createTerminalRole,
  revokeTerminalRole,
  startTerminalDevice,
  type TerminalDevice,
} from '../../support/terminal-device.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { DEVICE_TIMEOUT_MS } from '../../support/timeouts.ts';

const TEST_LIMIT_MS = 240_000;
const testBrowser = openTestBrowser();
const resources = new AsyncDisposableStack();
const seen: IncomingHttpHeaders[] = [];
let device: TerminalDevice;
let role: string;

const big = randomBytes(10 * 1_024 * 1_024);
/** One pixel. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const page = `<!doctype html><title>Kiosk status</title><link rel="stylesheet" href="/style.css">
<h1>Kiosk status</h1><img src="/dot.gif" alt="Dot"><form method="post" action="/save"><input name="name" aria-label="Name"><button>Save</button></form>`;

/** The web server of the device. */
async function openWebServer(): Promise<number> {
  const server = createServer((request, response) => {
    seen.push(request.headers);
    if (request.url === '/style.css')
      response.setHeader('content-type', 'text/css').end('h1 { color: rgb(1, 2, 3); }');
    else if (request.url === '/dot.gif') response.setHeader('content-type', 'image/gif').end(gif);
    else if (request.url === '/big') response.end(big);
    else if (request.method === 'POST') {
      request.resume();
      response.writeHead(303, { location: '/saved', 'set-cookie': 'saved=yes; Path=/' }).end();
    } else if (request.url === '/saved')
      response.setHeader('content-type', 'text/html').end(`<h1>${request.headers.cookie}</h1>`);
    else response.setHeader('content-type', 'text/html').end(page);
  });
  resources.defer(() => void server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const port = await openWebServer();
  device = await startTerminalDevice(resources, {
    DEVICEPORTAL_AGENT_WEB_PAGES: `${port}=Kiosk status`,
  });
  role = await createTerminalRole(device.admin, ['web-pages:open']);
}, TEST_LIMIT_MS);
afterAll(() => resources.disposeAsync());

const texts = {
  en: { open: 'Open web page', reason: 'Reason', show: 'Open in a new tab', end: 'End session' },
  'zh-CN': { open: '打开网页', reason: '原因', show: '在新标签页中打开', end: '结束会话' },
} as const;

async function askForPage(portal: Page, language: keyof typeof texts): Promise<void> {
  const { open, reason, show } = texts[language];
  await portal.goto(`/devices/${device.deviceId}`);
  await portal.getByRole('button', { name: open }).click();
  const dialog = portal.getByRole('dialog');
  await dialog.getByRole('radio', { name: /Kiosk status/ }).waitFor();
  expect(await findViolations(portal)).toEqual([]);
  await dialog.getByRole('textbox', { name: reason }).fill('Check the kiosk');
  await dialog.getByRole('button', { name: open }).click();
  await portal.getByRole('button', { name: show }).waitFor({ timeout: DEVICE_TIMEOUT_MS });
  expect(await findViolations(portal)).toEqual([]);
}

describe('a web page of a device', () => {
  test(
    'opens in a tab of its own, works, reaches nothing of the portal, and ends',
    async () => {
      const look = { theme: 'light', density: 'comfortable', language: 'en' } as const;
      const portal = await signInNewUser(testBrowser, device.admin, { role, look });
      const { show, end } = texts.en;
      await askForPage(portal, 'en');
      await portal.evaluate(() => {
        document.cookie = 'of-the-portal=1; path=/';
      });
      const opened = portal.context().waitForEvent('page');
      await portal.getByRole('button', { name: show }).click();
      const tab = await opened;
      await tab.getByRole('heading', { name: 'Kiosk status' }).waitFor();
      expect(new URL(tab.url()).pathname).toBe('/');
      expect(new URL(tab.url()).origin).not.toBe(new URL(portal.url()).origin);
      const color = await tab.locator('h1').evaluate((heading) => getComputedStyle(heading).color);
      expect(color).toBe('rgb(1, 2, 3)');
      const width = await tab
        .getByRole('img', { name: 'Dot' })
        .evaluate((image: HTMLImageElement) => image.naturalWidth);
      expect(width).toBe(1);
      const digest = await tab.evaluate(async () => {
        const bytes = await (await fetch('/big')).arrayBuffer();
        return [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))];
      });
      expect(digest).toEqual([...createHash('sha256').update(big).digest()]);

      await tab.getByRole('textbox', { name: 'Name' }).fill('Anna');
      await tab.getByRole('button', { name: 'Save' }).click();
      await tab.getByRole('heading', { name: 'saved=yes', exact: true }).waitFor();

      expect(await tab.evaluate(() => window.opener === null)).toBe(true);
      expect(await tab.evaluate(() => document.cookie)).toBe('saved=yes');
      const origin = new URL(portal.url()).origin;
      const read = await tab.evaluate(
        (url) =>
          fetch(url, { credentials: 'include' }).then(
            () => 'read',
            () => 'blocked',
          ),
        `${origin}/healthz`,
      );
      expect(read).toBe('blocked');
      for (const headers of seen) {
        expect(headers.authorization).toBeUndefined();
        expect(headers.cookie ?? '').not.toMatch(/deviceportal|of-the-portal/);
        expect(headers.referer ?? '').not.toContain(new URL(origin).host);
      }

      await portal.getByRole('button', { name: end }).click();
      await portal.getByText('Ended by the user').waitFor();
      await tab.reload();
      await tab.getByRole('heading', { name: 'This session has ended' }).waitFor();
      expect(await tab.evaluate(() => document.cookie)).toBe('');
    },
    TEST_LIMIT_MS,
  );

  test(
    'ends within seconds when the permission is revoked',
    async () => {
      const look = { theme: 'light', density: 'comfortable', language: 'en' } as const;
      const own = await createTerminalRole(device.admin, ['web-pages:open']);
      const portal = await signInNewUser(testBrowser, device.admin, { role: own, look });
      await askForPage(portal, 'en');
      const opened = portal.context().waitForEvent('page');
      await portal.getByRole('button', { name: texts.en.show }).click();
      const tab = await opened;
      await tab.getByRole('heading', { name: 'Kiosk status' }).waitFor();
      // Its own questions would be refused from now on.
      await portal.close();
      await revokeTerminalRole(device.admin, own);
      await expect
        .poll(
          async () => {
            await tab.reload();
            return tab.getByRole('heading').first().textContent();
          },
          { timeout: 10_000 },
        )
        .toBe('This session has ended');
    },
    TEST_LIMIT_MS,
  );

  test(
    'is opened and ended in Chinese',
    async () => {
      const look = { theme: 'dark', density: 'compact', language: 'zh-CN' } as const;
      const portal = await signInNewUser(testBrowser, device.admin, { role, look });
      await askForPage(portal, 'zh-CN');
      await portal.getByRole('button', { name: texts['zh-CN'].end }).click();
      await portal.getByText('用户已结束').first().waitFor();
    },
    TEST_LIMIT_MS,
  );
});
