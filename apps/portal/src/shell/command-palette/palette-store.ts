import { useSyncExternalStore } from 'react';

interface PaletteState {
  readonly open: boolean;
  readonly text: string;
}

let state: PaletteState = { open: false, text: '' };
const listeners = new Set<() => void>();

function set(next: PaletteState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Opens the search, with a text already in it where one is known. */
export function openPalette(text = ''): void {
  set({ open: true, text });
}

export function closePalette(): void {
  set({ ...state, open: false });
}

export function usePalette(): PaletteState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
