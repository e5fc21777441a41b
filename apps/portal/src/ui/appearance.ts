import {
  Density,
  Mode,
  applyDensity,
  applyMode,
  disableMotion,
} from '@cloudscape-design/global-styles';
import type { Preferences } from '@deviceportal/contract/session';

export type Appearance = Pick<Preferences, 'theme' | 'density' | 'language'>;

const STORAGE_KEY = 'deviceportal.appearance';
const darkQuery = '(prefers-color-scheme: dark)';

/** The appearance that `boot.js` reads before the first paint. */
export function storedAppearance(): Appearance {
  try {
    return (JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Appearance | null) ?? {};
  } catch {
    return {};
  }
}

export function storeAppearance(appearance: Appearance): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(appearance));
  } catch {
    // Storage may be blocked or full. The choice then lasts until the page is closed.
  }
}

/** Reports an appearance that another tab has stored. */
export function onAppearanceStored(report: (appearance: Appearance) => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === STORAGE_KEY) report(storedAppearance());
  });
}

export function isDark(theme: Appearance['theme']): boolean {
  return theme === 'dark' || (theme !== 'light' && matchMedia(darkQuery).matches);
}

/** Whether the page is dark at the moment. */
export const isDarkNow = (): boolean => document.documentElement.style.colorScheme === 'dark';

/** Applies the theme and density without a reload. */
export function applyAppearance({ theme, density }: Appearance): void {
  const dark = isDark(theme);
  applyMode(dark ? Mode.Dark : Mode.Light);
  applyDensity(density === 'compact' ? Density.Compact : Density.Comfortable);
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
}

/** Follows the theme and motion settings of the system. */
export function followSystem(current: () => Appearance): void {
  matchMedia(darkQuery).addEventListener('change', () => applyAppearance(current()));
  const reduced = matchMedia('(prefers-reduced-motion: reduce)');
  disableMotion(reduced.matches);
  reduced.addEventListener('change', () => disableMotion(reduced.matches));
}
