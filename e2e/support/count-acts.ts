import type { Page } from 'playwright-core';

export interface Acts {
  clicks: number;
  /** Keys outside pasted text. */
  keys: number;
  pastes: number;
}

const counted = new WeakMap<Page, { acts: Acts }>();

/** Counts what a user does on a page from now on. */
export async function countActs(page: Page): Promise<Acts> {
  const acts: Acts = { clicks: 0, keys: 0, pastes: 0 };
  const before = counted.get(page);
  const current = before ?? { acts };
  current.acts = acts;
  counted.set(page, current);
  if (before === undefined) {
    await page.exposeFunction('countAct', (kind: keyof Acts) => {
      current.acts[kind] += 1;
    });
  }
  await page.evaluate(() => {
    const scope = globalThis as unknown as {
      countAct: (kind: string) => void;
      counts?: boolean;
    };
    if (scope.counts) return;
    scope.counts = true;
    const on = (type: string, kind: string, is: (event: Event) => boolean): void =>
      document.addEventListener(
        type,
        (event) => {
          if (event.isTrusted && is(event)) scope.countAct(kind);
        },
        true,
      );
    // A click by a key is not counted.
    on('click', 'clicks', (event) => (event as MouseEvent).detail > 0);
    on('keydown', 'keys', () => true);
    on('paste', 'pastes', () => true);
  });
  return acts;
}
