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

/** Opens the search, with a text already in it where one is known. What is typed while it loads is not lost. */
export function openPalette(text = ''): void {
  set({ open: true, text });
  globalThis.addEventListener('keydown', gatherKey, { capture: true });
}

/** The search is on screen: keys come to it by themselves now. */
export function stopGathering(): void {
  globalThis.removeEventListener('keydown', gatherKey, { capture: true });
}

export function closePalette(): void {
  stopGathering();
  set({ ...state, open: false });
}

/** Keys of somebody who types on belong to the search, and not to the page's shortcuts. */
function gatherKey(event: KeyboardEvent): void {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (key.length === 1) set({ ...state, text: state.text + key });
  else if (key === 'Backspace') set({ ...state, text: state.text.slice(0, -1) });
  else if (key === 'Escape') closePalette();
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
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
