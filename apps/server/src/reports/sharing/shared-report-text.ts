import { splitHidden } from '@deviceportal/contract/hidden-words';
import { momentWords } from '@deviceportal/contract/moment-words';
import { escapeHtml } from '../../messages/message-html.ts';

const [OPEN, CLOSE] = ['\u{E000}', '\u{E001}'];
const marked = /\u{E000}(\d{4}-\d\d-\d\dT[\d:.]+Z)\u{E001}/gu;

/** Marks a time in a text of the layout, so that the page can show it in the time zone of its reader. */
export const markedMoment = (at: string | null): string =>
  at === null ? '-' : `${OPEN}${at}${CLOSE}`;

/** A text of the layout: hidden parts are marked, and times are in UTC until the script of the page runs. */
export const textHtml = (text: string): string =>
  splitHidden(text)
    .map((part) =>
      part.isHidden
        ? `<span class="hidden">${escapeHtml(part.text)}</span>`
        : escapeHtml(part.text).replace(
            marked,
            (_, at: string) => `<time datetime="${at}">${momentWords(at)}</time>`,
          ),
    )
    .join('');
