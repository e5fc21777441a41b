import { setTimeout as sleep } from 'node:timers/promises';
import { RETRY_BACKOFF_CAP_MS } from '@deviceportal/contract/constants';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { openCuttableProxy, type CuttableProxy } from '../../support/cuttable-proxy.ts';
import { OwnPortal } from '../../support/own-portal.ts';
import { addressOf, askForCode, codeField } from '../../support/sign-in.ts';
import { bodyRows } from '../../support/words.ts';

/** The longest pause between two connection attempts, plus time for the attempt. */
const RECONNECT_MS = RETRY_BACKOFF_CAP_MS + 10_000;
/**
 * Shorter than any refresh interval, so that only the live channel can have delivered the change.
 */
const LIVE_MS = 6_000;

let portal: OwnPortal;
let proxy: CuttableProxy;
let browser: Browser;
let context: BrowserContext | undefined;

beforeAll(async () => {
  portal = await OwnPortal.start();
  proxy = await openCuttableProxy(portal.port);
  browser = await launchBrowser();
});
afterEach(async () => {
  proxy.mend();
  await context?.close();
});
afterAll(async () => {
  await browser.close();
  await proxy[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

async function signedIn(options: { withoutSharedWorkers?: boolean } = {}): Promise<Page> {
  context = await browser.newContext({ baseURL: proxy.url, locale: 'en', timezoneId: 'UTC' });
  if (options.withoutSharedWorkers)
    await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
  const page = await context.newPage();
  await page.goto('/signin?next=/devices');
  await askForCode(page, addressOf('admin'));
  const outbox = await fetch(`${proxy.url}/outbox/messages?to=${addressOf('admin')}`);
  const [newest] = (await outbox.json()) as { code: string }[];
  await codeField(page).fill(newest?.code ?? '');
  await bodyRows(page).first().waitFor();
  await connected(1);
  return page;
}

async function tabBeside(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto('/devices');
  await bodyRows(tab).first().waitFor();
  return tab;
}

async function connected(count: number): Promise<void> {
  await expect.poll(() => proxy.liveConnections(), { timeout: RECONNECT_MS }).toBe(count);
}

/** Renames the first device through the API. */
async function rename(page: Page, name: string): Promise<void> {
  await page.evaluate(async (newName) => {
    const key = Object.keys(localStorage).find((each) => each.endsWith('.idToken')) ?? '';
    const headers = {
      authorization: `Bearer ${localStorage.getItem(key)}`,
      'content-type': 'application/json',
    };
    const listed = await fetch('/api/trpc/devices.list?input=%7B%22json%22%3A%7B%7D%7D', {
      headers,
    });
    const { result } = (await listed.json()) as {
      result: { data: { json: { rows: { id: string }[] } } };
    };
    const [device] = result.data.json.rows;
    await fetch('/api/trpc/devices.update', {
      method: 'POST',
      headers,
      body: JSON.stringify({ json: { id: device?.id, name: newName } }),
    });
  }, name);
}

const shows = (page: Page, name: string, timeoutMs = LIVE_MS): Promise<void> =>
  page.getByText(name).first().waitFor({ timeout: timeoutMs });

/** Marks a page, to detect a reload. */
const mark = (page: Page) => page.evaluate(() => Reflect.set(globalThis, 'marked', true));
const isMarked = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'marked'));

test.each([{ withoutSharedWorkers: false }, { withoutSharedWorkers: true }])(
  'tabs share one connection, which continues after the tab that opened it is closed: %j',
  async (options) => {
    const first = await signedIn(options);
    const second = await tabBeside(first);
    const third = await tabBeside(first);
    const name = `all tabs ${Date.now()}`;
    await sleep(500);
    expect(proxy.liveConnections()).toBe(1);
    await rename(third, name);
    await Promise.all([first, second, third].map((page) => shows(page, name)));
    const made = proxy.liveConnectionsMade();
    await first.close();
    // Without a shared worker, the connection closes with its tab, and another tab opens one.
    await expect
      .poll(() => proxy.liveConnectionsMade(), { timeout: RECONNECT_MS })
      .toBe(made + (options.withoutSharedWorkers ? 1 : 0));
    await connected(1);
    await sleep(500);
    const later = `the others ${Date.now()}`;
    await rename(third, later);
    await Promise.all([second, third].map((page) => shows(page, later)));
    expect(proxy.liveConnections()).toBe(1);
    await second.close();
    await third.close();
    await connected(0);
  },
);

test('after an interruption the page shows missed changes without a reload', async () => {
  const page = await signedIn();
  await mark(page);
  proxy.cut();
  await connected(0);
  const missed = `missed ${Date.now()}`;
  await rename(page, missed);
  proxy.mend();
  await connected(1);
  await shows(page, missed);
  const later = `later ${Date.now()}`;
  await rename(page, later);
  await shows(page, later);
  expect(await isMarked(page)).toBe(true);
});

test('pages reconnect to a server that was killed and restarted', async () => {
  const page = await signedIn();
  await mark(page);
  await portal.kill();
  await connected(0);
  await portal.start();
  await connected(1);
  const name = `after the crash ${Date.now()}`;
  await rename(page, name);
  await shows(page, name);
  expect(await isMarked(page)).toBe(true);
}, 120_000);

test('a sign-out in one tab ends the connection of all tabs', async () => {
  const page = await signedIn();
  const other = await tabBeside(page);
  await page.getByRole('button', { name: /Ada/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await connected(0);
  await other.waitForURL((url) => url.pathname === '/' || url.pathname === '/signin');
});

test('a suspended leading tab is replaced, and gives up the lead when it resumes', async () => {
  const leader = await signedIn({ withoutSharedWorkers: true });
  const awake = await tabBeside(leader);
  const devtools = await leader.context().newCDPSession(leader);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  await sleep(20_000);
  const name = `while it sleeps ${Date.now()}`;
  await rename(awake, name);
  await shows(awake, name);
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await connected(1);
  const later = `both again ${Date.now()}`;
  await rename(awake, later);
  await Promise.all([shows(awake, later), shows(leader, later)]);
}, 90_000);
