import { useSyncExternalStore } from 'react';

/** What somebody is asked about a case, over whatever page they are on. */
export type CaseDialog =
  | {
      readonly kind: 'open';
      readonly person: { readonly id: string; readonly name: string } | null;
    }
  | { readonly kind: 'note'; readonly id: string; readonly personName: string }
  | { readonly kind: 'close'; readonly id: string; readonly personName: string };

let dialog: CaseDialog | null = null;
const listeners = new Set<() => void>();

export function askAboutCase(asked: CaseDialog | null): void {
  dialog = asked;
  for (const listener of listeners) listener();
}

export function useCaseDialog(): CaseDialog | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => dialog,
  );
}
