import type { Translate } from '../i18n/use-t.ts';
import { addFlash } from './flash-store.ts';

const ID = 'copied';

/** Puts a text on the clipboard and says whether it is there; the next copy takes the place of what was said. */
export function copyText(text: string, t: Translate, done = t('app.copy.done')): void {
  navigator.clipboard.writeText(text).then(
    () => addFlash({ id: ID, type: 'success', content: done }),
    () => addFlash({ id: ID, type: 'error', content: t('app.copy.failed') }),
  );
}
