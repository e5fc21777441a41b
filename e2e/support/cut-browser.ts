import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openCuttableProxy, type CuttableProxy } from './cuttable-proxy.ts';
import { PATIENCE_MS } from './patience.ts';
import { signIn, type BuiltinPerson } from './sign-in.ts';

/** Nothing that is followed without the live channel is older; and time for the timers that are due with it. */
const OLDEST_MS = 31_000;
/** From the browser's connection to its tabs. */
const NEWS_MS = 200;
/** A cut of this length is told of. */
const NOTICE_MS = 10_000;
/** Time for an answer, and too little for the next poll. */
export const ANSWER_MS = 10_000;

/** The browser of a person whose live channel can be cut between the browser and the portal. */
export interface CutBrowser extends AsyncDisposable {
  readonly proxy: CuttableProxy;
  /** A page whose clock can be put forward. */
  readonly open: (path: string) => Promise<Page>;
  /** Resolves when the page says that it is cut off. */
  readonly cut: (page: Page) => Promise<void>;
  readonly mend: (page: Page) => Promise<void>;
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
    async cut(page) {
      proxy.cut();
      await connected(0);
      await sleep(NEWS_MS);
      await page.clock.fastForward(NOTICE_MS);
      await notice(page).waitFor();
    },
    async mend(page) {
      proxy.mend();
      // As after a sleep: the pause before the next attempt is not waited for.
      await page.evaluate(() => window.dispatchEvent(new Event('online')));
      await connected(1);
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
  await page.clock.install();
  await page.goto(path);
  await page.locator('main h1').first().waitFor();
  // Some screens never rest: their first answers are there by then.
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
  return page;
}

/** Lets the time pass after which what is on the page must be true again. */
export const passInterval = (page: Page): Promise<void> => page.clock.fastForward(OLDEST_MS);
