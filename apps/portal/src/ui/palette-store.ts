import { create } from 'zustand';

interface PaletteState {
  readonly open: boolean;
  readonly text: string;
}

const usePaletteState = create<PaletteState>(() => ({ open: false, text: '' }));

/** Opens the command palette, optionally with a text. Keys typed while it loads are not lost. */
export function openPalette(text = ''): void {
  usePaletteState.setState({ open: true, text });
  globalThis.addEventListener('keydown', gatherKey, { capture: true });
}

/** The palette is on screen and receives keys itself. */
export function stopGathering(): void {
  globalThis.removeEventListener('keydown', gatherKey, { capture: true });
}

export function closePalette(): void {
  stopGathering();
  usePaletteState.setState({ open: false });
}

/** Keys that are typed while the palette loads belong to its input, not to shortcuts. */
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
