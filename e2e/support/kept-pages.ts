import { readFile } from 'node:fs/promises';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Look } from './looks.ts';
import { watchTroubles, type PageTroubles } from './page-troubles.ts';
import { PATIENCE_MS } from './patience.ts';

export interface KeptPage {
  readonly page: Page;
  readonly troubles: PageTroubles;
  isUsed: boolean;
  /** The portal goes on in it between two uses. */
  staysOpen: boolean;
}

export interface PageWish {
  /** Where the session of the person is kept. */
  readonly sessionFile: string;
  readonly options: BrowserContextOptions;
  readonly appearance: Look | undefined;
  /** Left as it is for the next one, who goes on in it. */
  readonly staysOpen: boolean;
}

/** Of the portal's origin, with nothing of the portal in it. */
const EMPTY_PAGE = '/healthz';

/**
 * Pages that one journey after the other uses, each as if nothing had been done on it before: a browser that has never
 * seen the portal takes three times as long to show it.
 */
export class KeptPages {
  readonly #pages = new Map<string, KeptPage[]>();
  readonly #newContext: (options: BrowserContextOptions) => Promise<BrowserContext>;

  constructor(newContext: (options: BrowserContextOptions) => Promise<BrowserContext>) {
    this.#newContext = newContext;
  }

  async take({ sessionFile, options, appearance, staysOpen }: PageWish): Promise<KeptPage> {
    const key = JSON.stringify([sessionFile, options]);
    const pages = this.#pages.get(key) ?? [];
    this.#pages.set(key, pages);
    let free = pages.find(({ isUsed, page }) => !isUsed && !page.isClosed());
    if (free === undefined) {
      free = await this.#make({ ...options, storageState: sessionFile });
      pages.push(free);
    }
    free.isUsed = true;
    free.staysOpen = staysOpen;
    free.troubles.forget();
    await remember(free.page, await storageOf(sessionFile), appearance);
    return free;
  }

  /** A page that nobody looks at asks the portal for nothing. */
  async leaveAll(): Promise<void> {
    const used = [...this.#pages.values()].flat().filter(({ isUsed }) => isUsed);
    await Promise.all(used.map((each) => leave(each)));
  }

  async #make(options: BrowserContextOptions): Promise<KeptPage> {
    const context = await this.#newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(EMPTY_PAGE);
    return { page, troubles: watchTroubles(page), isUsed: false, staysOpen: false };
  }
}

async function leave(kept: KeptPage): Promise<void> {
  const { page } = kept;
  kept.isUsed = false;
  if (page.isClosed()) return;
  const context = page.context();
  const others = context.pages().filter((each) => each !== page);
  await Promise.all(others.map((each) => each.close()));
  await context.setOffline(false);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // A pointer that stands where the next journey wants it enters nothing.
  await page.mouse.move(0, 0);
  if (!kept.staysOpen) await page.goto(EMPTY_PAGE);
}

type Storage = Readonly<Record<string, string>>;

/** What a browser keeps of somebody who has just signed in. */
async function storageOf(sessionFile: string): Promise<Storage> {
  const { origins } = JSON.parse(await readFile(sessionFile, 'utf8')) as {
    readonly origins: readonly {
      readonly localStorage: readonly { readonly name: string; readonly value: string }[];
    }[];
  };
  const entries = origins.flatMap(({ localStorage: own }) => own);
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

async function remember(page: Page, storage: Storage, appearance: Look | undefined): Promise<void> {
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
