import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
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
  browser = await launchBrowser();
  portal = await spawnPortal(['--fleet', '0', '--no-agent'], tilesEnv());
});

const tilesEnv = () => ({
  DEVICEPORTAL_MAP_TILES_URL: `http://127.0.0.1:${(tiles.address() as AddressInfo).port}/tiles/{z}/{x}/{y}.png`,
  DEVICEPORTAL_MAP_TILES_ATTRIBUTION: ATTRIBUTION,
});

afterAll(async () => {
  await browser.close();
  await portal[Symbol.asyncDispose]();
  tiles.closeAllConnections();
  tiles.close();
});

test('the operator’s tiles are shown with their attribution, and the offline map with a note if they fail', async () => {
  const page = await openSignedIn(portal.url);
  const violations: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text());
  });
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
  await page.context().close();
});

test('a map of tiles in GCJ-02 shows a place where these tiles have it, and its address keeps the place', async () => {
  await using shifted = await spawnPortal(['--fleet', '0', '--no-agent'], {
    ...tilesEnv(),
    DEVICEPORTAL_MAP_TILES_DATUM: 'gcj02',
  });
  const page = await openSignedIn(shifted.url);
  asked.length = 0;
  await page.goto('/map?map=39.91195,116.37782,15');
  await page.locator('canvas').waitFor();
  await expect.poll(() => asked.length, { timeout: PAGE_TIMEOUT_MS }).toBeGreaterThan(5);
  const columns = asked.map((path) => Number(path.split('/')[3]));
  const zoom = Number(asked[0]?.split('/')[2]);
  // 116.38405 in GCJ-02: more than a column away from the place itself.
  const center = ((116.384_05 + 180) / 360) * 2 ** zoom - 0.5;
  expect(Math.abs((Math.min(...columns) + Math.max(...columns)) / 2 - center)).toBeLessThan(0.75);
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect
    .poll(() => new URL(page.url()).searchParams.get('map'), { timeout: PAGE_TIMEOUT_MS })
    .toMatch(/^39\.9119\d*,116\.3778\d*,14/);
  await page.context().close();
});

/** A page of a signed-in administrator. */
async function openSignedIn(baseURL: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, locale: 'en' });
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  await page.goto('/signin');
  const askedAt = await askForCode(page, addressOf('admin'));
  await codeField(page).fill(await readCode(addressOf('admin'), askedAt, baseURL));
  await page.locator('#top-bar').waitFor();
  return page;
}
