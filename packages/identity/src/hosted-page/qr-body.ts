import { escapeHtml } from './escape-html.ts';
import { button, form, hidden } from './form-parts.ts';
import type { SignInBody } from './page-state.ts';
import { linkTo } from './ways-body.ts';

/** The code and how it is: the script asks, and sends the form at the end; without it the button does. */
export function qrBody(body: SignInBody): string {
  const { state, words } = body;
  const { qr } = state;
  const code = linkTo(body, 'code', words.signInWithCode);
  if (qr === undefined) return `${linkTo(body, 'qr', words.qrAgain)}${code}`;
  const said =
    qr.nickname === undefined
      ? words.qrWaiting
      : words.qrScanned.replace('{nickname}', qr.nickname);
  const fields = [
    hidden('random', qr.random),
    hidden('scan', qr.scan),
    hidden('round', String(qr.round)),
  ].join('');
  return `<img class="qr" src="${escapeHtml(qr.pictureUrl)}" width="240" height="240" alt="${escapeHtml(words.qrPicture)}">
<p role="status" data-scanned="${escapeHtml(words.qrScanned)}">${escapeHtml(said)}</p>
${form(body, 'qr', `${fields}${button(words.qrConfirmed, true)}`, ` data-poll="${escapeHtml(qr.checkUrl)}"`)}${code}`;
}
