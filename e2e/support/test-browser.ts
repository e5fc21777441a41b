import { randomUUID } from 'node:crypto';
import { access, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, inject } from 'vitest';
import { launchBrowser } from './browser.ts';
import { answerStepUps } from './answer-step-ups.ts';
import { ReusedPages } from './reused-pages.ts';
import type { Look } from './looks.ts';
import { watchErrors, type PageErrors } from './page-errors.ts';
import { signIn, type BuiltinPerson } from './sign-in.ts';
import { PAGE_TIMEOUT_MS } from './timeouts.ts';

/** Pages opened through it are monitored, and left or closed after each test. */
export interface TestBrowser {
  /** A page of a signed-in user at this path. Reuses and resets a page of an earlier test. */
  readonly open: (person: BuiltinPerson, path: string, wish?: OpenOptions) => Promise<Page>;
  /** Another tab with the same user and storage. */
  readonly openTab: (page: Page, path: string) => Promise<Page>;
  /** A browser without a session. */
  readonly openSignedOut: (path: string, options?: BrowserOptions) => Promise<Page>;
  readonly expectErrors: (page: Page, pattern: RegExp) => void;
}

export interface OpenOptions extends BrowserOptions {
  /** Runs before the page is loaded. */
  readonly before?: (page: Page) => Promise<void>;
  /** A separate browser and session, for journeys that end it or change it permanently. */
  readonly ownSession?: boolean;
  /** False for a journey with its own session that confirms its second steps itself. */
  readonly confirms?: boolean;
  /**
   * Continues in a portal that an earlier test left open, by its own navigation, and leaves it
   * open.
   */
  readonly goesOn?: boolean;
}

export interface BrowserOptions extends BrowserContextOptions {
  /** Settings that a user chose earlier on this machine. */
  readonly appearance?: Look;
}

/** One browser and its pages for all files of a project. */
let shared: Promise<{ readonly browser: Browser; readonly kept: ReusedPages }> | undefined;

function share(): NonNullable<typeof shared> {
  shared ??= launchBrowser().then((browser) => ({
    browser,
    kept: new ReusedPages((options) => contextOf(browser, options)),
  }));
  return shared;
}

export function openTestBrowser(): TestBrowser {
  let browser: Browser;
  let kept: ReusedPages;
  const contexts = new Set<BrowserContext>();
  const troubles = new Map<Page, PageErrors>();

  beforeAll(async () => {
    ({ browser, kept } = await share());
  });
  afterEach(async () => {
    const messages = [...troubles.values()].flatMap((each) => each.messages());
    troubles.clear();
    await Promise.all([...[...contexts].map((context) => context.close()), kept.leaveAll()]);
    contexts.clear();
    expect(messages, 'errors and warnings in the browser').toEqual([]);
  });

  const newPage = async (context: BrowserContext, confirms = true): Promise<Page> => {
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_TIMEOUT_MS);
    const errors = watchErrors(page);
    troubles.set(page, errors);
    if (confirms) void answerStepUps(page, { troubles: errors });
    return page;
  };
  const newContext = async ({
    appearance,
    ...options
  }: BrowserOptions): Promise<BrowserContext> => {
    const context = await contextOf(browser, options);
    contexts.add(context);
    if (appearance !== undefined) {
      await context.addInitScript((chosen) => {
        localStorage.setItem('deviceportal.appearance', JSON.stringify(chosen));
      }, appearance);
    }
    return context;
  };
  const pageOf = async (
    person: BuiltinPerson,
    {
      ownSession = false,
      goesOn = false,
      confirms = true,
      appearance,
      ...options
    }: Omit<OpenOptions, 'before'>,
  ): Promise<Page> => {
    if (ownSession) {
      const storageState = await signInOnce(browser, person);
      const look = appearance === undefined ? {} : { appearance };
      return newPage(await newContext({ ...options, ...look, storageState }), confirms);
    }
    const sessionFile = await sharedSession(browser, person);
    const free = await kept.take({ sessionFile, options, appearance, staysOpen: goesOn });
    troubles.set(free.page, free.troubles);
    return free.page;
  };

  return {
    async open(person, path, { before, ...wish } = {}) {
      const page = await pageOf(person, wish);
      await before?.(page);
      if (wish.goesOn && (await page.locator('#top-bar').isVisible())) await goOn(page, path);
      else await page.goto(path);
      await page.locator('main').first().waitFor();
      return page;
    },
    async openTab(page, path) {
      const beside = await newPage(page.context());
      await beside.goto(path);
      return beside;
    },
    async openSignedOut(path, options = {}) {
      const page = await newPage(await newContext(options));
      await page.goto(path);
      return page;
    },
    expectErrors: (page, pattern) => troubles.get(page)?.expect(pattern),
  };
}

/** Navigates through an unrelated page, so that found elements are new. */
async function goOn(page: Page, path: string): Promise<void> {
  const follow = (to: string): Promise<void> =>
    page.evaluate((url) => history.pushState({}, '', url), to);
  const between = `/between/${randomUUID()}`;
  await follow(between);
  await page.getByText(between).waitFor();
  await follow(path);
}

function contextOf(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  return browser.newContext({
    baseURL: inject('portalUrl'),
    viewport: { width: 1440, height: 900 },
    locale: 'en',
    timezoneId: 'UTC',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    ...options,
  });
}

/** One sign-in per user for all test files; the session outlasts the tests. */
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
