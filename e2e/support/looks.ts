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

/**
 * Pairs of looks without a common value: a screen in both has been tested with every value of every
 * factor.
 */
const opposites: readonly (readonly [Look, Look])[] = [
  [look('light', 'comfortable', 'en'), look('dark', 'compact', 'zh-CN')],
  [look('light', 'compact', 'zh-CN'), look('dark', 'comfortable', 'en')],
  [look('light', 'comfortable', 'zh-CN'), look('dark', 'compact', 'en')],
  [look('light', 'compact', 'en'), look('dark', 'comfortable', 'zh-CN')],
];

/**
 * A covering set: all pairs of values of screen, state, theme, density, and language are tested.
 * The states of a screen share its looks; a screen with a single state is tested in two looks.
 *
 * @param screens of each situation, in order
 */
function pairwiseLooks(screens: readonly string[]): readonly (readonly Look[])[] {
  const different = [...new Set(screens)];
  return screens.map((screen, index) => {
    const looks = opposites[different.indexOf(screen) % opposites.length] ?? [];
    const isAlone = screens.indexOf(screen) === screens.lastIndexOf(screen);
    const before = screens.slice(0, index).filter((other) => other === screen).length;
    return isAlone ? looks : looks.slice(before % 2, (before % 2) + 1);
  });
}

/**
 * Looks in which each situation is tested: a set that covers all pairs, and in a thorough run three
 * more, so that every situation has been tested with all pairs of theme, density, and language.
 *
 * @param screens of each situation, in order
 */
export function looksOf(screens: readonly string[]): readonly (readonly Look[])[] {
  const chosen = pairwiseLooks(screens);
  return isThorough ? chosen.map(completing) : chosen;
}

/** The looks that complete the pairs of one look, or of two without a common value. */
function completing(chosen: readonly Look[]): readonly Look[] {
  const [first] = chosen;
  const wanted = chosen.length === 1 ? 2 : 1;
  return allLooks.filter((each) => first !== undefined && differences(first, each) === wanted);
}

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
