import { escapeHtml } from './escape-html.ts';
import type { OtherWay } from './other-ways.ts';
import type { PageWords } from './page-words.ts';

/** What the page shows, and what was typed into it before. */
export interface PageState {
  readonly step: 'code' | 'password' | 'enter-code' | 'second-step';
  readonly account: string;
  readonly error: string | undefined;
}

export interface SignInBody {
  readonly words: PageWords;
  readonly state: PageState;
  readonly applicationName: string;
  readonly formSecret: string;
  readonly otherWays: readonly OtherWay[];
  /** Of the second step: what proves the first. */
  readonly secondStepToken?: string | undefined;
}

/** The forms of a sign-in, as HTML. */
export function signInBody(body: SignInBody): string {
  const { applicationName, state, words } = body;
  const to = escapeHtml(words.signInTo.replace('{application}', applicationName));
  const error =
    state.error === undefined ? '' : `<p class="bad" role="alert">${escapeHtml(state.error)}</p>`;
  const forms = {
    code: askAddress,
    password: askPassword,
    'enter-code': askCode,
    'second-step': askSecondStep,
  };
  return `<p>${to}</p>${error}${forms[state.step](body)}${waysOf(body)}
${form(body, 'cancel', button(words.cancel, true))}`;
}

function askAddress(body: SignInBody): string {
  const { state, words } = body;
  return `${form(
    body,
    'send',
    `${field(words.emailOrPhone, `name="account" autocomplete="username" required autofocus value="${escapeHtml(state.account)}"`)}${button(words.sendCode)}`,
  )}<p><a href="?way=password">${escapeHtml(words.signInWithPassword)}</a></p>`;
}

function askPassword(body: SignInBody): string {
  const { state, words } = body;
  return `${form(
    body,
    'password',
    `${field(words.account, `name="account" autocomplete="username" required autofocus value="${escapeHtml(state.account)}"`)}${field(words.password, 'name="password" type="password" autocomplete="current-password" required')}${button(words.signIn)}`,
  )}<p><a href="?way=code">${escapeHtml(words.signInWithCode)}</a></p>`;
}

function askCode(body: SignInBody): string {
  const { state, words } = body;
  const account = `<input type="hidden" name="account" value="${escapeHtml(state.account)}">`;
  return `<p role="status">${escapeHtml(words.codeSent.replace('{account}', state.account))}</p>
${form(body, 'code', `${account}${codeField(words)}${button(words.signIn)}`)}
${form(body, 'send', `${account}${button(words.sendAgain, true)}`)}
<p><a href="?way=code">${escapeHtml(words.otherAccount)}</a></p>`;
}

function askSecondStep(body: SignInBody): string {
  const { secondStepToken = '', words } = body;
  const token = `<input type="hidden" name="token" value="${escapeHtml(secondStepToken)}">`;
  return `<p>${escapeHtml(words.secondStepHint)}</p>${form(body, 'second-step', `${token}${codeField(words)}${button(words.signIn)}`)}`;
}

function codeField(words: PageWords): string {
  return field(
    words.code,
    'class="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="\\s*[0-9]{6}\\s*" maxlength="8" required autofocus',
  );
}

function waysOf({ otherWays, words }: SignInBody): string {
  if (otherWays.length === 0) return '';
  const links = otherWays.map(({ href, label, logo }) => {
    const picture = logo === undefined ? '' : `<img src="${escapeHtml(logo)}" alt="">`;
    return `<a class="button" href="${escapeHtml(href)}">${picture}${escapeHtml(label)}</a>`;
  });
  return `<nav aria-label="${escapeHtml(words.otherWays)}"><p>${escapeHtml(words.otherWays)}</p>${links.join('')}</nav>`;
}

/** A form that says what it is for, and that it is ours. */
export function form(
  { formSecret }: Pick<SignInBody, 'formSecret'>,
  act: string,
  inner: string,
): string {
  return `<form method="post"><input type="hidden" name="act" value="${act}"><input type="hidden" name="secret" value="${formSecret}">${inner}</form>`;
}

export function button(label: string, isSecond = false): string {
  return `<button type="submit"${isSecond ? ' class="second"' : ''}>${escapeHtml(label)}</button>`;
}

function field(label: string, attributes: string): string {
  return `<label>${escapeHtml(label)}<input ${attributes}></label>`;
}
