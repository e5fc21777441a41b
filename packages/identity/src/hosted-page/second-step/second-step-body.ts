import { escapeHtml } from '../escape-html.ts';
import {
  button,
  codeField,
  field,
  form,
  hidden,
  passkeyForm,
  resendButton,
} from '../form-parts.ts';
import type { SignInBody } from '../page-state.ts';
import type { SecondStepView, StepMethod } from './second-step-view.ts';

/** The second factor: the selected method, and the other ones. */
export function secondStepBody(body: SignInBody): string {
  const { state, words } = body;
  const { second } = state;
  if (second === undefined) return '';
  const parts = {
    OTP: otpBody,
    RECOVERY: recoveryBody,
    SMS: codeBody,
    EMAIL: codeBody,
    FACE: faceBody,
    PASSKEY: passkeyBody,
    PASSKEY_CODE: recoveryBody,
  };
  const hint = second.isSetUp ? `<p>${escapeHtml(words.stepSetUp)}</p>` : '';
  return `<h2>${escapeHtml(words.secondStep)}</h2>${hint}${parts[second.method](body, second)}${otherSteps(body, second)}`;
}

type Part = (body: SignInBody, second: SecondStepView) => string;

const otpBody: Part = (body, { app, method, token }) => {
  const { words } = body;
  const fields = `${hidden('token', token)}${hidden('method', method)}`;
  const send = `${codeField(words)}${button(words.signIn)}`;
  if (app === undefined) {
    return `<p>${escapeHtml(words.secondStepHint)}</p>${form(body, 'second-step', `${fields}${send}`)}`;
  }
  const told = `${hidden('appSecret', app.secret)}${hidden('recoveryCode', app.recovery_code)}`;
  return `<p>${escapeHtml(words.stepAppHint)}</p>
<img class="qr" src="${escapeHtml(app.qrcode_data_url)}" width="200" height="200" alt="${escapeHtml(words.stepAppPicture)}">
<dl><dt>${escapeHtml(words.stepAppSecret)}</dt><dd><code>${escapeHtml(app.secret)}</code></dd>
<dt>${escapeHtml(words.recoveryCode)}</dt><dd><code>${escapeHtml(app.recovery_code)}</code></dd></dl>
<p>${escapeHtml(words.stepKeepRecovery)}</p>${form(body, 'second-step', `${fields}${told}${send}`)}`;
};

const recoveryBody: Part = (body, { method, token }) => {
  const { words } = body;
  const code = field(
    words.recoveryCode,
    'name="code" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="64" required autofocus',
  );
  const fields = `${hidden('token', token)}${hidden('method', method)}${code}${button(words.signIn)}`;
  const hint = method === 'RECOVERY' ? words.stepRecoveryHint : words.stepPasskeyCodeHint;
  return `<p>${escapeHtml(hint)}</p>${form(body, 'second-step', fields)}`;
};

const passkeyBody: Part = (body, { method, passkey = '', token }) => {
  const { words } = body;
  const fields = `${hidden('token', token)}${hidden('method', method)}`;
  return `<p>${escapeHtml(words.stepPasskeyHint)}</p>${passkeyForm(body, 'second-step', { fields, options: passkey })}`;
};

const codeBody: Part = (body, second) => {
  const { words } = body;
  const { contact, isSetUp, method, sentAt, token } = second;
  const fields = `${hidden('token', token)}${hidden('method', method)}`;
  if (sentAt === undefined) {
    const typed = isSetUp ? contactField(body, second) : '';
    const goes = (method === 'SMS' ? words.stepSmsHint : words.stepEmailHint).replace(
      '{contact}',
      contact,
    );
    const hint = isSetUp ? '' : `<p>${escapeHtml(goes)}</p>`;
    return `${hint}${form(body, 'send-step', `${fields}${typed}${button(words.sendCode)}`)}`;
  }
  const sent = `${fields}${hidden('sentAt', String(sentAt))}${isSetUp ? hidden('contact', contact) : ''}`;
  return `<p role="status">${escapeHtml(words.stepCodeSent.replace('{contact}', contact))}</p>
${form(body, 'second-step', `${sent}${codeField(words)}${button(words.signIn)}`)}
${form(body, 'send-step', `${sent}${resendButton(body, sentAt)}`)}`;
};

const contactField: Part = ({ words }, { contact, method }) =>
  method === 'SMS'
    ? field(
        words.stepPhone,
        `name="contact" type="tel" autocomplete="tel" maxlength="32" required autofocus value="${escapeHtml(contact)}"`,
      )
    : field(
        words.stepEmail,
        `name="contact" type="email" autocomplete="email" maxlength="254" required autofocus value="${escapeHtml(contact)}"`,
      );

const faceBody: Part = (body, { isSetUp, method, token }) => {
  const { words } = body;
  const photo = field(
    words.stepPhoto,
    'name="photo" type="file" accept="image/jpeg,image/png,image/bmp" capture="user" required autofocus',
  );
  const fields = `${hidden('token', token)}${hidden('method', method)}${photo}${button(words.signIn)}`;
  const hint = isSetUp ? words.stepFaceSetUp : words.stepFaceHint;
  return `<p>${escapeHtml(hint)}</p>${form(body, 'second-step', fields, ' enctype="multipart/form-data"')}`;
};

function otherSteps(body: SignInBody, { isSetUp, method, methods, token }: SecondStepView): string {
  const { words } = body;
  const named = (each: StepMethod): string =>
    isSetUp
      ? words[`setUp_${each as Exclude<StepMethod, 'RECOVERY' | 'PASSKEY' | 'PASSKEY_CODE'>}`]
      : words[`step_${each}`];
  return methods
    .filter((each) => each !== method)
    .map((each) =>
      form(
        body,
        'choose-step',
        `${hidden('token', token)}${hidden('method', each)}${button(named(each), true)}`,
      ),
    )
    .join('');
}
