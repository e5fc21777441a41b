import type { ReactNode } from 'react';
import { create } from 'zustand';

export interface FlashMessage {
  /** A message with the same ID replaces the previous one: `in-progress` becomes `success`. */
  readonly id: string;
  readonly type: 'success' | 'error' | 'warning' | 'info' | 'in-progress';
  readonly header?: ReactNode;
  readonly content?: ReactNode;
  /** A link or button. A message with an action stays until it is dismissed. */
  readonly action?: ReactNode;
  readonly dismissible?: boolean;
}

const SUCCESS_SHOWN_MS = 8_000;

const useMessages = create<{ readonly messages: readonly FlashMessage[] }>(() => ({
  messages: [],
}));
const shown = (): readonly FlashMessage[] => useMessages.getState().messages;
let nextId = 1;

/** Adds or replaces a message, and returns its ID. */
export function addFlash(message: Omit<FlashMessage, 'id'> & { readonly id?: string }): string {
  const id = message.id ?? `flash-${nextId++}`;
  const flash: FlashMessage = { ...message, id };
  useMessages.setState({ messages: [flash, ...shown().filter((other) => other.id !== id)] });
  if (flash.type === 'success' && flash.action === undefined) {
    setTimeout(() => {
      // A message that replaced this one has its own timer.
      if (shown().includes(flash)) removeFlash(id);
    }, SUCCESS_SHOWN_MS);
  }
  return id;
}

export function removeFlash(id: string): void {
  useMessages.setState({ messages: shown().filter((message) => message.id !== id) });
}

export function useFlashMessages(): readonly FlashMessage[] {
  return useMessages().messages;
}

const flash = { add: addFlash, remove: removeFlash } as const;

/** Notifications at the top of the page: `flash.add({ type: 'success', header })`. */
export function useFlash(): typeof flash {
  return flash;
}
