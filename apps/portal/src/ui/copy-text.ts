import type { Translate } from '../i18n/use-t.ts';
import { addFlash } from './flash-store.ts';

const ID = 'copied';

/** Copies a text to the clipboard and shows a notification, which the next copy replaces. */
export function copyText(text: string, t: Translate, done = t('app.copy.done')): void {
  navigator.clipboard.writeText(text).then(
    () => addFlash({ id: ID, type: 'success', content: done }),
    () => addFlash({ id: ID, type: 'error', content: t('app.copy.failed') }),
  );
}
