import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Locator, Page, Request } from 'playwright-core';
import { expect, inject } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openCuttableProxy, type CuttableProxy } from './cuttable-proxy.ts';
import { PATIENCE_MS } from './patience.ts';
import { signIn, type BuiltinPerson } from './sign-in.ts';

/** Nothing that is followed without the live channel is older; and time for the timers that are due with it. */
const OLDEST_MS = 31_000;
/** From the browser's connection to its tabs. */
const NEWS_MS = 200;
/** Without a request for this long, a page has its answers and has shown them. */
const QUIET_MS = 300;
/** A cut of this length is told of. */
const NOTICE_MS = 10_000;
/** Time for an answer, and too little for the next poll. */
export const ANSWER_MS = 10_000;

/** The browser of a person whose live channel can be cut between the browser and the portal. */
export interface CutBrowser extends AsyncDisposable {
  readonly proxy: CuttableProxy;
  /** A page whose clock can be put forward. */
  readonly open: (path: string) => Promise<Page>;
  /** Resolves when every open page says that it is cut off, and has asked for all it shows since. */
  readonly cut: () => Promise<void>;
  readonly mend: (page: Page) => Promise<void>;
  /** No page, and nothing cut. */
  readonly reset: () => Promise<void>;
}

/** What the page says of itself while its live channel is down. */
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
    await expect.poll(() => proxy.liveConnections(), { timeout: PATIENCE_MS }).toBe(count);
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
      // As after a sleep: the pause before the next attempt is not waited for.
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
  page.setDefaultTimeout(PATIENCE_MS);
  countRequests(page);
  await page.clock.install();
  await page.goto(path);
  await page.locator('main h1').first().waitFor();
  // Some screens never rest: their first answers are there by then.
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
  return page;
}

/** Lets the time pass after which what is on the page must be true again. */
export async function passInterval(page: Page): Promise<void> {
  await settled(page);
  await page.clock.fastForward(OLDEST_MS);
}

/** Questions of a page that are open. Other files count for nothing: a shared worker's never ends for its page. */
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

/** The interval of a question begins with its answer: resolves once nothing is asked for. */
async function settled(page: Page): Promise<void> {
  let quietSince = performance.now();
  await expect
    .poll(
      () => {
        if ((openRequests.get(page)?.size ?? 0) > 0) quietSince = performance.now();
        return performance.now() - quietSince;
      },
      { timeout: PATIENCE_MS },
    )
    .toBeGreaterThan(QUIET_MS);
}
