import { access, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { launchBrowser } from './browser.ts';
import type { Look } from './looks.ts';
import { watchTroubles, type PageTroubles } from './page-troubles.ts';
import { signIn, type BuiltinPerson } from './sign-in.ts';
import { PATIENCE_MS } from './patience.ts';

/** The browser of one test file. Pages opened through it are watched, and closed after each test. */
export interface Stage {
  /** A page of somebody who is signed in, at this address. */
  readonly open: (person: BuiltinPerson, path: string, wish?: OpenWish) => Promise<Page>;
  /** Another tab beside this page: same person, same storage. */
  readonly openBeside: (page: Page, path: string) => Promise<Page>;
  /** A browser nobody has signed in with. */
  readonly openStranger: (path: string, options?: StageOptions) => Promise<Page>;
  readonly expectTrouble: (page: Page, pattern: RegExp) => void;
}

export interface OpenWish extends StageOptions {
  /** Done with the page before it is asked for anything. */
  readonly before?: (page: Page) => Promise<void>;
  /** A session of its own, for journeys that end it. */
  readonly ownSession?: boolean;
}

export interface StageOptions extends BrowserContextOptions {
  /** What somebody chose on this machine before. */
  readonly appearance?: Look;
}

export function openStage(): Stage {
  let browser: Browser;
  const contexts = new Set<BrowserContext>();
  const troubles = new Map<Page, PageTroubles>();

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    const messages = [...troubles.values()].flatMap((each) => each.messages());
    troubles.clear();
    await Promise.all([...contexts].map((context) => context.close()));
    contexts.clear();
    expect(messages, 'errors and warnings in the browser').toEqual([]);
  });
  afterAll(() => browser.close());

  const newPage = async (
    context: BrowserContext,
    path: string,
    before?: OpenWish['before'],
  ): Promise<Page> => {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    troubles.set(page, watchTroubles(page));
    await before?.(page);
    await page.goto(path);
    return page;
  };
  const newContext = async ({ appearance, ...options }: StageOptions): Promise<BrowserContext> => {
    const context = await browser.newContext({
      baseURL: inject('portalUrl'),
      viewport: { width: 1440, height: 900 },
      locale: 'en',
      timezoneId: 'UTC',
      colorScheme: 'light',
      reducedMotion: 'reduce',
      ...options,
    });
    contexts.add(context);
    if (appearance !== undefined) {
      await context.addInitScript((chosen) => {
        localStorage.setItem('deviceportal.appearance', JSON.stringify(chosen));
      }, appearance);
    }
    return context;
  };

  return {
    async open(person, path, { ownSession = false, before, ...options } = {}) {
      const storageState = ownSession
        ? await signInOnce(browser, person)
        : await sharedSession(browser, person);
      const page = await newPage(await newContext({ ...options, storageState }), path, before);
      await page.locator('main').first().waitFor();
      return page;
    },
    openBeside: (page, path) => newPage(page.context(), path),
    openStranger: async (path, options = {}) => newPage(await newContext(options), path),
    expectTrouble: (page, pattern) => troubles.get(page)?.expect(pattern),
  };
}

/** One sign-in per person for all test files; the session lasts longer than the tests. */
async function sharedSession(browser: Browser, person: BuiltinPerson): Promise<string> {
  const file = join(inject('sessionDir'), `${person}.json`);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  return isThere ? file : signInOnce(browser, person, file);
}

async function signInOnce(browser: Browser, person: BuiltinPerson, file?: string): Promise<string> {
  const target = file ?? join(await mkdtemp(join(tmpdir(), 'deviceportal-session-')), 'state.json');
  const context = await browser.newContext({ baseURL: inject('portalUrl'), locale: 'en' });
  await signIn(await context.newPage(), person);
  await context.storageState({ path: target });
  await context.close();
  return target;
}
