import type { Browser, WebSocket } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { addressOf, askForCode, codeField, readCode } from '../../support/sign-in.ts';
import { spawnPortal, type SpawnedPortal } from '../../support/spawn-portal.ts';
import { PAGE_TIMEOUT_MS } from '../../support/timeouts.ts';
import { heading } from '../../support/words.ts';

const ACCOUNT = '111122223333';
/** The answers to CONNECT and SUBSCRIBE. */
const ANSWERS = 2;

let browser: Browser;
/** The hosted pools: another origin, of which the portal knows only URLs and IDs. */
let pools: SpawnedPortal;
let portal: SpawnedPortal;

beforeAll(async () => {
  browser = await launchBrowser();
  const options = ['--fleet', '0', '--no-agent'];
  pools = await spawnPortal(options, {});
  const { identityPoolId } = (await (await fetch(`${pools.url}/api/config`)).json()) as {
    identityPoolId: string;
  };
  portal = await spawnPortal(options, {
    DEVICEPORTAL_REGION: 'eu-central-1',
    DEVICEPORTAL_USER_POOL: 'us-east-1_DevicePortal',
    DEVICEPORTAL_USER_POOL_CLIENT_ID: 'deviceportalweb',
    DEVICEPORTAL_USER_POOL_ENDPOINT: `${pools.url}/identity`,
    DEVICEPORTAL_IDENTITY_POOL: identityPoolId,
    DEVICEPORTAL_IDENTITY_POOL_ENDPOINT: `${pools.url}/identity`,
    DEVICEPORTAL_IDENTITY_POOL_ACCOUNT_ID: ACCOUNT,
  });
}, 180_000);
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await pools[Symbol.asyncDispose]();
  await browser.close();
});

test('with hosted pools, the live channel opens, and the hosted pool is told its account', async () => {
  const context = await browser.newContext({ baseURL: portal.url, locale: 'en' });
  // Connections of a shared worker are not visible to a test.
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
  const page = await context.newPage();
  page.setDefaultTimeout(2 * PAGE_TIMEOUT_MS);
  const asked: { readonly url: string; readonly account: unknown }[] = [];
  page.on('request', (request) => {
    if (request.headers()['x-amz-target'] !== 'AWSCognitoIdentityService.GetId') return;
    const { AccountId: account } = request.postDataJSON() as { readonly AccountId?: string };
    asked.push({ url: request.url(), account });
  });
  let answers = 0;
  page.on('websocket', (socket: WebSocket) => {
    if (new URL(socket.url()).pathname !== '/mqtt') return;
    socket.on('framereceived', () => void (answers += 1));
  });
  await page.goto('/signin?next=/devices');
  const askedAt = await askForCode(page, addressOf('admin'));
  await codeField(page).fill(await readCode(addressOf('admin'), askedAt, pools.url));
  await heading(page, /^Devices/).waitFor();
  await expect
    .poll(() => answers, { timeout: 4 * PAGE_TIMEOUT_MS })
    .toBeGreaterThanOrEqual(ANSWERS);
  const hosted = asked.filter(({ url }) => url.startsWith(pools.url));
  expect(new Set(hosted.map(({ account }) => account))).toEqual(new Set([ACCOUNT]));
  const own = asked.filter(({ url }) => url.startsWith(portal.url));
  expect(new Set(own.map(({ account }) => account))).toEqual(new Set([undefined]));
  await context.close();
});
