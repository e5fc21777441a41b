import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { launchBrowser } from './browser.ts';
import { openCuttableProxy, type CuttableProxy } from './cuttable-proxy.ts';
import { PATIENCE_MS } from './patience.ts';
import { signIn, type BuiltinPerson } from './sign-in.ts';

/** Maximum age of data without the live channel, plus time for the timers. */
const OLDEST_MS = 31_000;
/** Time for a message from the browser's connection to its tabs. */
const NEWS_MS = 200;
/** A disconnection of this length is shown. */
const NOTICE_MS = 10_000;
/** Time for a response, shorter than the next poll. */
export const ANSWER_MS = 10_000;

/** A browser whose live channel can be cut between the browser and the portal. */
export interface CutBrowser extends AsyncDisposable {
  readonly proxy: CuttableProxy;
  /** Opens a page with a fake clock. */
  readonly open: (path: string) => Promise<Page>;
  /** Cuts the connection and waits until the page shows it. */
  readonly cut: (page: Page) => Promise<void>;
  readonly mend: (page: Page) => Promise<void>;
}

/** The notice that the page shows while its live channel is down. */
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
      // As after sleep mode: skips the delay before the next attempt.
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
  // Some screens poll continuously; their first responses have arrived by then.
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
  return page;
}

/** Advances the clock until the page must show current data again. */
export const passInterval = (page: Page): Promise<void> => page.clock.fastForward(OLDEST_MS);
