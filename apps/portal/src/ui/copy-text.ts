import type { Translate } from '../i18n/use-t.ts';
import { addFlash, removeFlash } from './flash-store.ts';
import { showToast } from './toast/toast-store.ts';

const FAILED = 'copy-failed';

/** Copies a text to the clipboard, and confirms it by a toast. A failure stays on the page. */
export function copyText(text: string, t: Translate, done = t('app.copy.done')): void {
  navigator.clipboard.writeText(text).then(
    () => {
      removeFlash(FAILED);
      showToast(done);
    },
    () => addFlash({ id: FAILED, type: 'error', content: t('app.copy.failed') }),
  );
}
