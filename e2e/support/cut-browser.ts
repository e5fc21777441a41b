import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Locator, Page, Request } from 'playwright-core';
import { expect, inject } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openCuttableProxy, type CuttableProxy } from './cuttable-proxy.ts';
import { PAGE_TIMEOUT_MS } from './timeouts.ts';
import { signIn, type BuiltinPerson } from './sign-in.ts';

/** Longer than any refresh interval without the live channel, plus time for the timers. */
const OLDEST_MS = 31_000;
/** Time for a change to pass from the browser’s connection to its tabs. */
const NEWS_MS = 200;
/** A page without requests for this long has loaded and shown its data. */
const QUIET_MS = 300;
/** Interruptions of this length are reported on the page. */
const NOTICE_MS = 10_000;
/** Enough for a response, but not for the next poll. */
export const ANSWER_MS = 10_000;

/** A browser whose live channel to the portal can be cut. */
export interface CutBrowser extends AsyncDisposable {
  readonly proxy: CuttableProxy;
  /** Opens a page whose clock can be advanced. */
  readonly open: (path: string) => Promise<Page>;
  /**
   * Cuts the live channel. Resolves when every open page reports it and has refreshed its data
   * since.
   */
  readonly cut: () => Promise<void>;
  readonly mend: (page: Page) => Promise<void>;
  /** Closes all pages and restores the live channel. */
  readonly reset: () => Promise<void>;
}

/** The notice on a page while its live channel is down. */
export const notice = (page: Page): Locator =>
  page.getByText('Live updates are off. This page refreshes every 30 seconds.', { exact: true });

export async function openCutBrowser(person: BuiltinPerson): Promise<CutBrowser> {
  const browser = await launchBrowser();
  const proxy = await openCuttableProxy(Number(new URL(inject('portalUrl')).port));
  const context = await browser.newContext({
    baseURL: proxy.url,
    locale: 'en',
    timezoneId: 'UTC',
    viewport: { width: 1440, height: 900 },
  });
  const first = await context.newPage();
  await signIn(first, person);
  await first.close();
  const connected = async (count: number): Promise<void> => {
    await expect.poll(() => proxy.liveConnections(), { timeout: PAGE_TIMEOUT_MS }).toBe(count);
  };
  return {
    proxy,
    open: (path) => openPage(context, path),
    async cut() {
      proxy.cut();
      await connected(0);
      await sleep(NEWS_MS);
      await Promise.all(
        context.pages().map(async (page) => {
          await page.clock.fastForward(NOTICE_MS);
          await notice(page).waitFor();
          await settled(page);
        }),
      );
    },
    async mend(page) {
      proxy.mend();
      // Simulates waking up, which skips the pause before the next attempt.
      await page.evaluate(() => window.dispatchEvent(new Event('online')));
      await connected(1);
    },
    async reset() {
      proxy.mend();
      await Promise.all(context.pages().map((page) => page.close()));
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

async function openPage(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  countRequests(page);
  await page.clock.install();
  await page.goto(path);
  await page.locator('main h1').first().waitFor();
  // Some screens never stop sending requests. Their first responses have arrived by then.
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
  return page;
}

/** Advances the clock by the interval after which the page must be up to date. */
export async function passInterval(page: Page): Promise<void> {
  await settled(page);
  await page.clock.fastForward(OLDEST_MS);
}

/**
 * Open requests of a page. Scripts are not counted, because the request of a shared worker never
 * ends for its page.
 */
const openRequests = new WeakMap<Page, Set<Request>>();

function countRequests(page: Page): void {
  const open = new Set<Request>();
  openRequests.set(page, open);
  const end = (request: Request): void => void open.delete(request);
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') open.add(request);
  });
  page.on('requestfinished', end).on('requestfailed', end);
}

/** Resolves when no request is open, because a refresh interval starts with the response. */
async function settled(page: Page): Promise<void> {
  let quietSince = performance.now();
  await expect
    .poll(
      () => {
        if ((openRequests.get(page)?.size ?? 0) > 0) quietSince = performance.now();
        return performance.now() - quietSince;
      },
      { timeout: PAGE_TIMEOUT_MS },
    )
    .toBeGreaterThan(QUIET_MS);
}
