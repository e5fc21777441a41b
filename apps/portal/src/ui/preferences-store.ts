import { create } from 'zustand';
import type { Preferences } from '@deviceportal/contract/session';
import { languageState, setLanguage } from '../i18n/language-store.ts';
import {
  applyAppearance,
  onAppearanceStored,
  storeAppearance,
  storedAppearance,
} from './appearance.ts';

export type TablePreferences = NonNullable<Preferences['tables']>[string];

const SAVE_DELAY_MS = 600;

interface Kept {
  readonly preferences: Preferences;
  /** Saves changes. Undefined until the user’s preferences are loaded. */
  readonly save: ((preferences: Preferences) => Promise<unknown>) | undefined;
}

const useKept = create<Kept>(() => ({ preferences: {}, save: undefined }));
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Uses the preferences stored on this machine until the user’s are loaded, and follows changes of
 * the appearance in other tabs.
 */
export function startPreferences(): void {
  useKept.setState({ preferences: { ...storedAppearance() } });
  onAppearanceStored((appearance) => {
    const preferences = { ...currentPreferences(), ...appearance };
    useKept.setState({ preferences });
    applyAppearance(preferences);
    const { language = languageState().language } = appearance;
    if (language !== languageState().language) void setLanguage(language);
  });
}

/**
 * Adopts the user’s stored preferences, and where to save changes. Only once, because later
 * responses must not undo changes made since.
 */
export function adoptPreferences(
  stored: Preferences,
  saveTo: (preferences: Preferences) => Promise<unknown>,
): void {
  const { preferences, save } = useKept.getState();
  if (save !== undefined) return;
  show({ ...preferences, ...stored }, saveTo);
  if (stored.language !== undefined) void setLanguage(stored.language);
}

/**
 * Changes apply immediately, are stored on this machine, and are sent to the server shortly after.
 */
export function updatePreferences(change: Preferences): void {
  const { preferences, save } = useKept.getState();
  show({ ...preferences, ...change }, save);
  if (change.language !== undefined) void setLanguage(change.language);
  clearTimeout(timer);
  timer = setTimeout(() => {
    // Errors are not reported, because the next change sends all preferences.
    const kept = useKept.getState();
    kept.save?.(kept.preferences).catch(() => undefined);
  }, SAVE_DELAY_MS);
}

export function updateTablePreferences(tableId: string, change: TablePreferences): void {
  const tables = currentPreferences().tables ?? {};
  updatePreferences({ tables: { ...tables, [tableId]: { ...tables[tableId], ...change } } });
}

export function currentPreferences(): Preferences {
  return useKept.getState().preferences;
}

export function usePreferences(): Preferences {
  return useKept(({ preferences }) => preferences);
}

/**
 * Whether the user’s preferences are loaded. Until then, a table would request the wrong page size.
 */
export function useArePreferencesAdopted(): boolean {
  return useKept(({ save }) => save !== undefined);
}

function show(preferences: Preferences, save: Kept['save']): void {
  useKept.setState({ preferences, save });
  applyAppearance(preferences);
  storeAppearance(appearanceOf(preferences));
}

function appearanceOf({ theme, density, language }: Preferences) {
  return {
    ...(theme === undefined ? {} : { theme }),
    ...(density === undefined ? {} : { density }),
    ...(language === undefined ? {} : { language }),
  };
}
