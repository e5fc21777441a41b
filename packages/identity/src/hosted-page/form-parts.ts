import { LOGIN_CODE_RESEND_MS } from '@deviceportal/contract/constants';
import { escapeHtml } from './escape-html.ts';
import type { PageWords } from './page-words.ts';

/** A form with its action and CSRF secret. `attributes` and `inner` are HTML. */
export function form(
  { formSecret }: { readonly formSecret: string },
  act: string,
  inner: string,
  attributes = '',
): string {
  return `<form method="post"${attributes}><input type="hidden" name="act" value="${act}"><input type="hidden" name="secret" value="${formSecret}">${inner}</form>`;
}

export function button(label: string, isSecond = false, attributes = ''): string {
  return `<button type="submit"${isSecond ? ' class="second"' : ''}${attributes}>${escapeHtml(label)}</button>`;
}

/** @param attributes HTML, escaped already */
export function field(label: string, attributes: string): string {
  return `<label>${escapeHtml(label)}<input ${attributes}></label>`;
}

export function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
}

/**
 * A form whose button asks the browser for a passkey, by the script of the page.
 * @param options.fields HTML
 * @param options.options for the browser, as JSON
 */
export function passkeyForm(
  body: { readonly formSecret: string; readonly words: PageWords },
  act: string,
  { fields, options }: { readonly fields: string; readonly options: string },
): string {
  const { words } = body;
  const data = ` data-passkey="${escapeHtml(options)}" data-unsupported="${escapeHtml(words.passkeyUnsupported)}"`;
  const inner = `${fields}${hidden('credential', '')}<p class="bad" role="alert" hidden></p>${button(words.usePasskey)}`;
  return form(body, act, inner, data);
}

/**
 * A form without a button: the browser offers passkeys in the field for the account, and the script of the page sends the
 * chosen one.
 */
export function passkeyAutofill(body: {
  readonly formSecret: string;
  readonly pageUrl: string;
}): string {
  const data = ` hidden data-autofill="${escapeHtml(`${body.pageUrl}/passkey`)}"`;
  return form(body, 'passkey', hidden('credential', ''), data);
}

/** Six digits that came by a message or from an app. */
export function codeField(words: PageWords): string {
  return field(
    words.code,
    'class="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="\\s*[0-9]{6}\\s*" maxlength="8" required autofocus',
  );
}

/** Button to resend a code, with a countdown by script. */
export function resendButton(
  { now, words }: { readonly now: number; readonly words: PageWords },
  sentAt: number,
): string {
  const waitMs = Math.min(Math.max(0, sentAt + LOGIN_CODE_RESEND_MS - now), LOGIN_CODE_RESEND_MS);
  const wait = ` data-wait="${Math.ceil(waitMs / 1_000)}" data-waiting="${escapeHtml(words.sendAgainIn)}"`;
  return button(words.sendAgain, true, wait);
}

export function alert(error: string | undefined): string {
  return error === undefined ? '' : `<p class="bad" role="alert">${escapeHtml(error)}</p>`;
}
