import type { Page } from 'playwright-core';
import { isThorough } from './is-thorough.ts';

export interface Look {
  readonly theme: 'light' | 'dark';
  readonly density: 'comfortable' | 'compact';
  readonly language: 'en' | 'zh-CN';
}

const look = (
  theme: Look['theme'],
  density: Look['density'],
  language: Look['language'],
): Look => ({ theme, density, language });

export const allLooks: readonly Look[] = (['en', 'zh-CN'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    (['comfortable', 'compact'] as const).map((density) => look(theme, density, language)),
  ),
);

/** The looks, in an order in which two that follow have no value in common. */
const alternating: readonly Look[] = [
  look('light', 'comfortable', 'en'),
  look('dark', 'compact', 'zh-CN'),
  look('light', 'compact', 'zh-CN'),
  look('dark', 'comfortable', 'en'),
  look('light', 'comfortable', 'zh-CN'),
  look('dark', 'compact', 'en'),
  look('light', 'compact', 'en'),
  look('dark', 'comfortable', 'zh-CN'),
];

/**
 * Looks in which each situation is tested. All eight take turns, so that two states of a screen that follow each other
 * are tested with every value of theme, density, and language. A thorough run adds three to each, which complete all
 * pairs of values.
 *
 * @param count number of situations, in order, those of a screen one after the other
 */
export function looksOf(count: number): readonly (readonly Look[])[] {
  return Array.from({ length: count }, (_, index) => {
    const chosen = alternating[index % alternating.length] ?? look('light', 'comfortable', 'en');
    return isThorough ? completing(chosen) : [chosen];
  });
}

/** The looks that complete the pairs of one. */
const completing = (chosen: Look): readonly Look[] =>
  allLooks.filter((each) => differences(chosen, each) === 2);

function differences(one: Look, other: Look): number {
  return (['theme', 'density', 'language'] as const).filter(
    (factor) => one[factor] !== other[factor],
  ).length;
}

/**
 * Applies theme and density as the product does: by two classes on the body. Waits for the change.
 */
export async function putOn(page: Page, { theme, density }: Look): Promise<void> {
  await page.evaluate(
    ([dark, compact]) => {
      document.body.classList.toggle('awsui-dark-mode', dark);
      document.body.classList.toggle('awsui-compact-mode', compact);
      document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
      // During the transition, colors belong to neither theme.
      const moving = document.getAnimations().filter((each) => each instanceof CSSTransition);
      for (const transition of moving) transition.finish();
    },
    [theme === 'dark', density === 'compact'] as const,
  );
}

/** Changes the language as in another tab of the same browser, without a reload. */
export async function speak(page: Page, { language, theme, density }: Look): Promise<void> {
  await page.evaluate(
    (chosen) => {
      const key = 'deviceportal.appearance';
      localStorage.setItem(key, JSON.stringify(chosen));
      // Browsers send this event only to the other tabs.
      dispatchEvent(new StorageEvent('storage', { key }));
    },
    { language, theme, density },
  );
  await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
}
