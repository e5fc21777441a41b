import { isDeepStrictEqual } from 'node:util';
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

/** Each two looks that share nothing: a screen seen in both has met every value of every factor. */
const opposites: readonly (readonly [Look, Look])[] = [
  [look('light', 'comfortable', 'en'), look('dark', 'compact', 'zh-CN')],
  [look('light', 'compact', 'zh-CN'), look('dark', 'comfortable', 'en')],
  [look('light', 'comfortable', 'zh-CN'), look('dark', 'compact', 'en')],
  [look('light', 'compact', 'en'), look('dark', 'comfortable', 'zh-CN')],
];

/**
 * A covering choice: every pair of values of screen, state, theme, density and language is met. A screen's states share
 * its looks out among them; one that has a single state is seen in two looks.
 *
 * @param screens of each situation, in their order
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
 * In which looks each of these situations is looked at: in a choice that leaves out no pair, and in a thorough run in
 * those that the choice leaves out.
 *
 * @param screens of each situation, in their order
 */
export function looksOf(screens: readonly string[]): readonly (readonly Look[])[] {
  const chosen = pairwiseLooks(screens);
  return isThorough ? chosen.map(without) : chosen;
}

function without(chosen: readonly Look[]): readonly Look[] {
  return allLooks.filter((each) => !chosen.some((other) => isDeepStrictEqual(other, each)));
}

/** Theme and density as the product itself applies them: two classes at the body, and what they change has changed. */
export async function putOn(page: Page, { theme, density }: Look): Promise<void> {
  await page.evaluate(
    ([dark, compact]) => {
      document.body.classList.toggle('awsui-dark-mode', dark);
      document.body.classList.toggle('awsui-compact-mode', compact);
      document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
      // Colours on their way from one theme to the other are those of neither.
      const moving = document.getAnimations().filter((each) => each instanceof CSSTransition);
      for (const transition of moving) transition.finish();
    },
    [theme === 'dark', density === 'compact'] as const,
  );
}
