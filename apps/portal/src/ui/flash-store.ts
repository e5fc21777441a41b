import { useSyncExternalStore, type ReactNode } from 'react';

export interface FlashMessage {
  /** Repeating an id replaces its message: `in-progress` becomes `success`. */
  readonly id: string;
  readonly type: 'success' | 'error' | 'warning' | 'info' | 'in-progress';
  readonly header?: ReactNode;
  readonly content?: ReactNode;
  /** A link or button; a message with one stays until it is dismissed. */
  readonly action?: ReactNode;
  readonly dismissible?: boolean;
}

const SUCCESS_SHOWN_MS = 8_000;

let messages: readonly FlashMessage[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly FlashMessage[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

/** Adds or replaces a message; answers its id. */
export function addFlash(message: Omit<FlashMessage, 'id'> & { readonly id?: string }): string {
  const id = message.id ?? `flash-${nextId++}`;
  const flash: FlashMessage = { ...message, id };
  set([flash, ...messages.filter((other) => other.id !== id)]);
  if (flash.type === 'success' && flash.action === undefined) {
    setTimeout(() => {
      // A message that was replaced in the meantime has its own time.
      if (messages.includes(flash)) removeFlash(id);
    }, SUCCESS_SHOWN_MS);
  }
  return id;
}

export function removeFlash(id: string): void {
  set(messages.filter((message) => message.id !== id));
}

export function useFlashMessages(): readonly FlashMessage[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => messages,
  );
}

const flash = { add: addFlash, remove: removeFlash } as const;

/** Notifications at the top of the page: `flash.add({ type: 'success', header })`. */
export function useFlash(): typeof flash {
  return flash;
}
