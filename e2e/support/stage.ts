import { access, mkdtemp, readFile } from 'node:fs/promises';
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
  /** The same, on a page that is used again and again: loading the portal anew costs as much as ten looks at it. */
  readonly reopen: (person: BuiltinPerson, path: string, wish?: OpenWish) => Promise<Page>;
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
  const kept = new Map<string, KeptPage>();

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
  const contextOf = (options: BrowserContextOptions): Promise<BrowserContext> =>
    browser.newContext({
      baseURL: inject('portalUrl'),
      viewport: { width: 1440, height: 900 },
      locale: 'en',
      timezoneId: 'UTC',
      colorScheme: 'light',
      reducedMotion: 'reduce',
      ...options,
    });
  const newContext = async ({ appearance, ...options }: StageOptions): Promise<BrowserContext> => {
    const context = await contextOf(options);
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
    async reopen(person, path, { before, appearance, ownSession: _never, ...options } = {}) {
      const key = JSON.stringify([person, options]);
      const storageState = await sharedSession(browser, person);
      const { page, troubles: watched } =
        kept.get(key) ?? (await keepPage(await contextOf({ ...options, storageState })));
      kept.set(key, { page, troubles: watched });
      watched.forget();
      troubles.set(page, watched);
      await page.unrouteAll();
      await page.goto(EMPTY_PAGE);
      await remember(page, await storageOf(storageState), appearance);
      await before?.(page);
      await page.goto(path);
      await page.locator('main').first().waitFor();
      return page;
    },
    openBeside: (page, path) => newPage(page.context(), path),
    openStranger: async (path, options = {}) => newPage(await newContext(options), path),
    expectTrouble: (page, pattern) => troubles.get(page)?.expect(pattern),
  };
}

interface KeptPage {
  readonly page: Page;
  readonly troubles: PageTroubles;
}

/** Of the portal's origin, with nothing of the portal in it. */
const EMPTY_PAGE = '/healthz';

async function keepPage(context: BrowserContext): Promise<KeptPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return { page, troubles: watchTroubles(page) };
}

type Storage = Readonly<Record<string, string>>;

/** What a browser keeps of somebody who has just signed in. */
async function storageOf(stateFile: string): Promise<Storage> {
  const { origins } = JSON.parse(await readFile(stateFile, 'utf8')) as {
    readonly origins: readonly {
      readonly localStorage: readonly { readonly name: string; readonly value: string }[];
    }[];
  };
  const entries = origins.flatMap(({ localStorage: own }) => own);
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

/** As if nothing had been done on this page before. */
async function remember(page: Page, storage: Storage, appearance: Look | undefined) {
  await page.evaluate(
    ([entries, chosen]) => {
      sessionStorage.clear();
      localStorage.clear();
      for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value);
      if (chosen !== undefined) {
        localStorage.setItem('deviceportal.appearance', JSON.stringify(chosen));
      }
    },
    [storage, appearance] as const,
  );
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
