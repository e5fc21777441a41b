import { readFile } from 'node:fs/promises';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { answerStepUps } from './answer-step-ups.ts';
import type { Look } from './looks.ts';
import { watchErrors, type PageErrors } from './page-errors.ts';
import { PAGE_TIMEOUT_MS } from './timeouts.ts';

export interface ReusedPage {
  readonly page: Page;
  readonly troubles: PageErrors;
  isUsed: boolean;
  /** Whether the portal stays open in it between two uses. */
  readonly staysOpen: boolean;
}

export interface PageWish {
  /** File with the session of the user. */
  readonly sessionFile: string;
  readonly options: BrowserContextOptions;
  readonly appearance: Look | undefined;
  /** Kept open for the next journey, which continues in it. */
  readonly staysOpen: boolean;
}

/** A page of the portal's origin without the portal. */
const EMPTY_PAGE = '/healthz';

/**
 * Pages that several journeys use one after the other, reset between uses. Loading the portal in a
 * new browser takes three times as long.
 */
export class ReusedPages {
  readonly #pages = new Map<string, ReusedPage[]>();
  readonly #newContext: (options: BrowserContextOptions) => Promise<BrowserContext>;

  constructor(newContext: (options: BrowserContextOptions) => Promise<BrowserContext>) {
    this.#newContext = newContext;
  }

  async take({ sessionFile, options, appearance, staysOpen }: PageWish): Promise<ReusedPage> {
    const key = JSON.stringify([sessionFile, options]);
    const pages = this.#pages.get(key) ?? [];
    this.#pages.set(key, pages);
    // A page in which the portal stays open is not reset for another journey.
    let free = pages.find(
      (each) => !each.isUsed && each.staysOpen === staysOpen && !each.page.isClosed(),
    );
    if (free === undefined) {
      free = await this.#make({ ...options, storageState: sessionFile }, staysOpen);
      pages.push(free);
    }
    free.isUsed = true;
    free.troubles.forget();
    await remember(free.page, await storageOf(sessionFile), appearance);
    return free;
  }

  /** A left page sends no requests to the portal. */
  async leaveAll(): Promise<void> {
    const used = [...this.#pages.values()].flat().filter(({ isUsed }) => isUsed);
    await Promise.all(used.map((each) => leave(each)));
  }

  async #make(options: BrowserContextOptions, staysOpen: boolean): Promise<ReusedPage> {
    const context = await this.#newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(PAGE_TIMEOUT_MS);
    await page.goto(EMPTY_PAGE);
    const troubles = watchErrors(page);
    void answerStepUps(page, { troubles });
    return { page, troubles, isUsed: false, staysOpen };
  }
}

async function leave(kept: ReusedPage): Promise<void> {
  const { page } = kept;
  kept.isUsed = false;
  if (page.isClosed()) return;
  const context = page.context();
  const others = context.pages().filter((each) => each !== page);
  await Promise.all(others.map((each) => each.close()));
  await context.setOffline(false);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // Moves the pointer away, so that the next journey's pointer movements trigger events.
  await page.mouse.move(0, 0);
  if (!kept.staysOpen) await page.goto(EMPTY_PAGE);
}

type Storage = Readonly<Record<string, string>>;

/** Stored browser data of a user who has just signed in. */
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
