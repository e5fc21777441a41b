import { currentPreferences } from '../ui/preferences-store.ts';
import { isTyping } from '../ui/is-typing.ts';

/**
 * Handles the key `n` outside inputs and dialogs, if shortcuts are enabled. Returns a function that
 * removes the listener.
 */
export function onNoteKey(act: () => void): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const isChord = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== 'n' || isChord || event.defaultPrevented || isTyping(event.target)) return;
    if (currentPreferences().shortcuts === false) return;
    event.preventDefault();
    act();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
