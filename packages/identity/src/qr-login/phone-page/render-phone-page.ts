import Bowser from 'bowser';
import type { StoredQrCode } from '../qr-code-store.ts';
import { pageStyle } from './page-style.ts';
import {
  fill,
  phonePageTexts,
  type PageLanguage,
  type PhonePageTexts,
} from './phone-page-texts.ts';

/** Content of the page. */
export type PhoneView =
  | {
      readonly kind: 'confirm';
      readonly code: StoredQrCode;
      readonly application: string;
      readonly name: string;
      readonly address: string;
      readonly now: Date;
    }
  | { readonly kind: 'signIn'; readonly notice?: 'wrongAccount' | 'tooMany' }
  | { readonly kind: 'code'; readonly account: string; readonly notice?: 'wrongCode' | 'tooMany' }
  | {
      readonly kind: 'end';
      readonly how: 'confirmed' | 'confirmedSecondStep' | 'cancelled' | 'ended' | 'failed';
    };

/** The page as HTML, with no script in it. Everything that came from elsewhere is escaped. */
export function renderPhonePage(view: PhoneView, language: PageLanguage): string {
  const texts = phonePageTexts(language);
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${texts.title}</title><style>${pageStyle}</style></head>
<body><main>${contentOf(view, texts)}</main></body>
</html>
`;
}

function contentOf(view: PhoneView, texts: PhonePageTexts): string {
  switch (view.kind) {
    case 'confirm':
      return confirmation(view, texts);
    case 'signIn':
      return `<h1>${texts.title}</h1><p>${texts.signInFirst}</p>${noticeOf(view.notice, texts)}
<form method="post"><label for="account">${texts.account}</label>
<input id="account" name="account" required maxlength="254" autocomplete="username" autocapitalize="none" spellcheck="false">
${button('identify', texts.sendCode, 'main')}</form>`;
    case 'code': {
      const account = escape(view.account);
      return `<h1>${texts.title}</h1><p role="status">${fill(texts.codeSent, { account })}</p>${noticeOf(view.notice, texts)}
<form method="post"><input type="hidden" name="account" value="${account}"><label for="code">${texts.code}</label>
<input id="code" name="code" required inputmode="numeric" autocomplete="one-time-code" pattern="\\s*[0-9]{6}\\s*" maxlength="12">
${button('signIn', texts.signIn, 'main')}</form><form method="post">${button('forget', texts.startAgain)}</form>`;
    }
    case 'end':
      return `<h1>${texts.title}</h1><p role="status">${texts[view.how]}</p>`;
  }
}

function confirmation(
  view: Extract<PhoneView, { kind: 'confirm' }>,
  texts: PhonePageTexts,
): string {
  const { code, now } = view;
  const seconds = String(
    Math.max(0, Math.round((now.getTime() - code.createdAt.getTime()) / 1_000)),
  );
  const near = code.address === view.address ? texts.sameNetwork : texts.otherNetwork;
  const facts = [
    [texts.from, code.address ?? texts.unknown],
    [texts.browser, browserOf(code.userAgent) ?? texts.unknown],
    [texts.asked, fill(texts.secondsAgo, { seconds })],
  ] as const;
  return `<h1>${fill(texts.question, { application: escape(view.application) })}</h1>
<dl>${facts.map(([term, fact]) => `<dt>${term}</dt><dd>${escape(fact)}</dd>`).join('')}</dl>
<p>${near}</p><p class="warn">${texts.warning}</p>
<p>${fill(texts.signedInAs, { name: escape(view.name) })}</p>
<form method="post">${button('confirm', texts.confirm, 'main')}${button('cancel', texts.cancel)}${button('forget', texts.otherAccount)}</form>`;
}

function button(action: string, text: string, look = ''): string {
  return `<button name="action" value="${action}"${look && ` class="${look}"`}>${text}</button>`;
}

function noticeOf(
  notice: 'wrongAccount' | 'wrongCode' | 'tooMany' | undefined,
  texts: PhonePageTexts,
): string {
  return notice === undefined ? '' : `<p class="bad" role="alert">${texts[notice]}</p>`;
}

/** Such as `Chrome 141 (Windows)`; undefined for what is no browser's name. */
function browserOf(userAgent: string | null): string | undefined {
  if (!userAgent) return undefined;
  const { browser, os } = Bowser.parse(userAgent);
  if (browser.name === undefined || browser.name === '') return undefined;
  const version = browser.version?.split('.', 1)[0];
  const words = [browser.name, version, os.name && `(${os.name})`];
  return words.filter(Boolean).join(' ');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
