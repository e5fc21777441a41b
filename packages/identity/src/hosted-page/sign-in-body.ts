import { escapeHtml } from './escape-html.ts';
import {
  alert,
  button,
  codeField,
  field,
  form,
  hidden,
  passkeyAutofill,
  passkeyForm,
  resendButton,
} from './form-parts.ts';
import { linkTo, waysBody } from './ways-body.ts';
import type { SignInBody } from './page-state.ts';
import { qrBody } from './qr-body.ts';
import { secondStepBody } from './second-step/second-step-body.ts';

/** The forms of a sign-in, as HTML. */
export function signInBody(body: SignInBody): string {
  const { applicationName, state, words } = body;
  const to = escapeHtml(words.signInTo.replace('{application}', applicationName));
  const forms = {
    code: askAddress,
    password: askPassword,
    'enter-code': askCode,
    ldap: askDirectory,
    ad: askDirectory,
    qr: qrBody,
    passkey: askPasskey,
    'second-step': secondStepBody,
  };
  return `<p>${to}</p>${alert(state.error)}${forms[state.step](body)}${waysBody(body)}
${form(body, 'cancel', button(words.cancel, true))}`;
}

function askAddress(body: SignInBody): string {
  const { words } = body;
  const account = accountField(body, words.emailOrPhone);
  const password = linkTo(body, 'password', words.signInWithPassword);
  const passkey = body.offersPasskeys ? linkTo(body, 'passkey', words.signInWithPasskey) : '';
  return `${form(body, 'send', `${account}${button(words.sendCode)}`)}${autofillOf(body)}${password}${passkey}`;
}

function askPasskey(body: SignInBody): string {
  const { state, words } = body;
  const code = linkTo(body, 'code', words.signInWithCode);
  if (state.passkey === undefined) return code;
  return `<p>${escapeHtml(words.passkeyHint)}</p>${passkeyForm(body, 'passkey', { fields: '', options: state.passkey })}${code}`;
}

function askPassword(body: SignInBody): string {
  const { words } = body;
  const account = accountField(body, words.account);
  const fields = `${account}${passwordField(words.password)}${button(words.signIn)}`;
  return `${form(body, 'password', fields)}${autofillOf(body)}${linkTo(body, 'code', words.signInWithCode)}`;
}

function askDirectory(body: SignInBody): string {
  const { state, words } = body;
  const account = accountField({ ...body, offersPasskeys: false }, words.directoryName);
  const fields = `${account}${passwordField(words.directoryPassword)}${button(words.signIn)}`;
  const code = linkTo(body, 'code', words.signInWithCode);
  return `${form(body, state.step, fields)}${code}`;
}

function askCode(body: SignInBody): string {
  const { state, words } = body;
  const { account: to, sentAt = 0 } = state;
  const account = hidden('account', to);
  const sent = hidden('sentAt', String(sentAt));
  return `<p role="status">${escapeHtml(words.codeSent.replace('{account}', to))}</p>
${form(body, 'code', `${account}${sent}${codeField(words)}${button(words.signIn)}`)}
${form(body, 'send', `${account}${sent}${resendButton(body, sentAt)}`)}
${linkTo(body, 'code', words.otherAccount)}`;
}

const autofillOf = (body: SignInBody): string => (body.offersPasskeys ? passkeyAutofill(body) : '');

function accountField({ offersPasskeys, state }: SignInBody, label: string): string {
  const value = escapeHtml(state.account);
  return field(
    label,
    `name="account" autocomplete="username${offersPasskeys ? ' webauthn' : ''}" autocapitalize="none" spellcheck="false" required autofocus value="${value}"`,
  );
}

function passwordField(label: string): string {
  return field(label, 'name="password" type="password" autocomplete="current-password" required');
}
