import { useSyncExternalStore } from 'react';
import type { Preferences } from '@deviceportal/contract/session';
import { setLanguage } from '../i18n/language-store.ts';
import { applyAppearance, storeAppearance, storedAppearance } from './appearance.ts';

export type TablePreferences = NonNullable<Preferences['tables']>[string];

const SAVE_DELAY_MS = 600;

let preferences: Preferences = {};
let save: ((preferences: Preferences) => Promise<unknown>) | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function publish(next: Preferences): void {
  preferences = next;
  for (const listener of listeners) listener();
}

/** This machine's choices until the person's own have arrived. */
export function startPreferences(): void {
  publish({ ...storedAppearance() });
}

/** The person's stored preferences, and where later changes go. Once: later answers must not undo what was changed meanwhile. */
export function adoptPreferences(
  stored: Preferences,
  saveTo: (preferences: Preferences) => Promise<unknown>,
): void {
  if (save !== undefined) return;
  save = saveTo;
  publish({ ...preferences, ...stored });
  applyAppearance(preferences);
  storeAppearance(appearanceOf(preferences));
  if (stored.language !== undefined) void setLanguage(stored.language);
}

/** Changes take effect at once, are kept on this machine, and reach the server a moment later. */
export function updatePreferences(change: Preferences): void {
  publish({ ...preferences, ...change });
  applyAppearance(preferences);
  storeAppearance(appearanceOf(preferences));
  if (change.language !== undefined) void setLanguage(change.language);
  clearTimeout(timer);
  timer = setTimeout(() => {
    // Not worth a message: the next change sends everything again.
    save?.(preferences).catch(() => undefined);
  }, SAVE_DELAY_MS);
}

export function updateTablePreferences(tableId: string, change: TablePreferences): void {
  const tables = preferences.tables ?? {};
  updatePreferences({ tables: { ...tables, [tableId]: { ...tables[tableId], ...change } } });
}

export function currentPreferences(): Preferences {
  return preferences;
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => preferences);
}

/** Whether the person's own have arrived: before, a table would ask for a page of the wrong size. */
export function useArePreferencesAdopted(): boolean {
  return useSyncExternalStore(subscribe, () => save !== undefined);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function appearanceOf({ theme, density, language }: Preferences) {
  return {
    ...(theme === undefined ? {} : { theme }),
    ...(density === undefined ? {} : { density }),
    ...(language === undefined ? {} : { language }),
  };
}
