import { useSyncExternalStore } from 'react';

let asked = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  if (asked === next) return;
  asked = next;
  for (const listener of listeners) listener();
}

/** The session ended (2001): a dialog over the page asks to sign in again, the page stays as it is. */
export function askForSignIn(): void {
  set(true);
}

export function signInDone(): void {
  set(false);
}

export function useSignInAsked(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );
}
