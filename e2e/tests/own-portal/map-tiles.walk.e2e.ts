import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { PAGE_TIMEOUT_MS } from '../../support/timeouts.ts';
import { addressOf, askForCode, codeField, readCode } from '../../support/sign-in.ts';
import { spawnPortal, type SpawnedPortal } from '../../support/spawn-portal.ts';

/** One gray pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);
const ATTRIBUTION = '© Makers of <b>this</b> map';

let tiles: Server;
let works = true;
const asked: string[] = [];
let browser: Browser;
let portal: SpawnedPortal;
beforeAll(async () => {
  tiles = createServer((request, reply) => {
    asked.push(request.url ?? '');
    reply.setHeader('access-control-allow-origin', '*').setHeader('content-type', 'image/png');
    reply.statusCode = works ? 200 : 503;
    reply.end(works ? PIXEL : '');
  });
  tiles.listen(0, '127.0.0.1');
  await once(tiles, 'listening');
  const { port } = tiles.address() as AddressInfo;
  browser = await launchBrowser();
  portal = await spawnPortal(['--fleet', '0', '--no-agent'], {
    DEVICEPORTAL_MAP_TILES_URL: `http://127.0.0.1:${port}/tiles/{z}/{x}/{y}.png`,
    DEVICEPORTAL_MAP_TILES_ATTRIBUTION: ATTRIBUTION,
  });
});
afterAll(async () => {
  await browser.close();
  await portal[Symbol.asyncDispose]();
  tiles.closeAllConnections();
  tiles.close();
});

test('the operator’s tiles are shown with their attribution, and the offline map with a note if they fail', async () => {
  const context = await browser.newContext({ baseURL: portal.url, locale: 'en' });
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  const violations: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text());
  });
  await page.goto('/signin');
  const askedAt = await askForCode(page, addressOf('admin'));
  await codeField(page).fill(await readCode(addressOf('admin'), askedAt, portal.url));
  await page.locator('#top-bar').waitFor();
  await page.goto('/map?map=50,10,4');
  await page.getByText(ATTRIBUTION, { exact: true }).waitFor();
  await expect.poll(() => asked.length, { timeout: PAGE_TIMEOUT_MS }).toBeGreaterThan(2);
  expect(asked[0]).toMatch(/^\/tiles\/\d+\/\d+\/\d+\.png$/);
  works = false;
  await page.goto('/map?map=-20,-50,5');
  await page.getByText(/tiles of your operator could not be loaded/).waitFor();
  await page.locator('canvas').waitFor();
  works = true;
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.getByText(ATTRIBUTION, { exact: true }).waitFor();
  expect(violations).toEqual([]);
  await context.close();
});
