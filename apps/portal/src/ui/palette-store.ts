import { create } from 'zustand';

interface PaletteState {
  readonly open: boolean;
  readonly text: string;
}

const usePaletteState = create<PaletteState>(() => ({ open: false, text: '' }));

/** Opens the search, with a text already in it where one is known. What is typed while it loads is not lost. */
export function openPalette(text = ''): void {
  usePaletteState.setState({ open: true, text });
  globalThis.addEventListener('keydown', gatherKey, { capture: true });
}

/** The search is on screen: keys come to it by themselves now. */
export function stopGathering(): void {
  globalThis.removeEventListener('keydown', gatherKey, { capture: true });
}

export function closePalette(): void {
  stopGathering();
  usePaletteState.setState({ open: false });
}

/** Keys of somebody who types on belong to the search, and not to the page's shortcuts. */
function gatherKey(event: KeyboardEvent): void {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { text } = usePaletteState.getState();
  if (key.length === 1) usePaletteState.setState({ text: text + key });
  else if (key === 'Backspace') usePaletteState.setState({ text: text.slice(0, -1) });
  else if (key === 'Escape') closePalette();
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

export function usePalette(): PaletteState {
  return usePaletteState();
}
