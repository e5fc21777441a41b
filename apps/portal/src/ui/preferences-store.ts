import { create } from 'zustand';
import type { Preferences } from '@deviceportal/contract/session';
import { setLanguage } from '../i18n/language-store.ts';
import { applyAppearance, storeAppearance, storedAppearance } from './appearance.ts';

export type TablePreferences = NonNullable<Preferences['tables']>[string];

const SAVE_DELAY_MS = 600;

interface Kept {
  readonly preferences: Preferences;
  /** Where changes go; undefined until the person's own preferences have arrived. */
  readonly save: ((preferences: Preferences) => Promise<unknown>) | undefined;
}

const useKept = create<Kept>(() => ({ preferences: {}, save: undefined }));
let timer: ReturnType<typeof setTimeout> | undefined;

/** This machine's choices until the person's own have arrived. */
export function startPreferences(): void {
  useKept.setState({ preferences: { ...storedAppearance() } });
}

/** The person's stored preferences, and where later changes go. Once: later answers must not undo what was changed meanwhile. */
export function adoptPreferences(
  stored: Preferences,
  saveTo: (preferences: Preferences) => Promise<unknown>,
): void {
  const { preferences, save } = useKept.getState();
  if (save !== undefined) return;
  show({ ...preferences, ...stored }, saveTo);
  if (stored.language !== undefined) void setLanguage(stored.language);
}

/** Changes take effect at once, are kept on this machine, and reach the server a moment later. */
export function updatePreferences(change: Preferences): void {
  const { preferences, save } = useKept.getState();
  show({ ...preferences, ...change }, save);
  if (change.language !== undefined) void setLanguage(change.language);
  clearTimeout(timer);
  timer = setTimeout(() => {
    // Not worth a message: the next change sends everything again.
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

/** Whether the person's own have arrived: before, a table would ask for a page of the wrong size. */
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
