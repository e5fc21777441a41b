import { create } from 'zustand';

interface Toast {
  /** Identifies repeated toasts with the same text. */
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 4_000;

const useShown = create<{ readonly toast: Toast | null }>(() => ({ toast: null }));
let nextId = 1;

/** Confirms a small action, such as a copy, for a few seconds. The next toast replaces it. */
export function showToast(text: string): void {
  const toast = { id: nextId++, text };
  useShown.setState({ toast });
  setTimeout(() => {
    // A toast that replaced this one has its own timer.
    if (useShown.getState().toast === toast) useShown.setState({ toast: null });
  }, SHOWN_MS);
}

export function useToast(): Toast | null {
  return useShown().toast;
}
