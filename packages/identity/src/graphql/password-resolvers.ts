import {
  replaceForcedPassword,
  resetPassword,
  setFirstPassword,
} from '../own-account/change-password.ts';
import { sendEmailCode, type EmailScene } from '../codes/send-email-code.ts';
import { ProviderError, wordsOf, type Refusal } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import type { GraphqlCall, Resolvers } from './graphql-call.ts';

interface Reset {
  readonly phone?: string | null;
  readonly phoneCountryCode?: string | null;
  readonly email?: string | null;
  readonly code: string;
  readonly newPassword: string;
}

const sent: Refusal = { code: 200, en: 'the email was sent', zh: '邮件发送成功' };
const changed: Refusal = { code: 200, en: 'the password was changed', zh: '修改密码成功' };

/** New passwords of people who are not signed in, and the e-mails for that and everything else. */
export const passwordResolvers = {
  async sendEmail(_parent, given: { email: string; scene: EmailScene }, call) {
    await sendEmailCode(call.provider, given, call.caller);
    return said(call, sent);
  },
  async resetPassword(_parent, given: Reset, call) {
    const { code, newPassword } = given;
    const to = addressOf(given, call);
    await resetPassword(call.provider, { to, code, newPassword }, call.caller);
    return said(call, changed);
  },
  async resetPasswordByFirstLoginToken(_parent, given: { token: string; password: string }, call) {
    await setFirstPassword(call.provider, given, call.caller);
    return said(call, changed);
  },
  async resetPasswordByForceResetToken(
    _parent,
    given: { token: string; oldPassword: string; newPassword: string },
    call,
  ) {
    await replaceForcedPassword(call.provider, given, call.caller);
    return said(call, changed);
  },
} satisfies Resolvers;

function addressOf(
  { email, phone, phoneCountryCode }: Reset,
  { provider }: GraphqlCall,
): readonly ['email' | 'phone', string] {
  if (email) return ['email', email];
  if (phone) return ['phone', provider.users.readPhone(phone, phoneCountryCode).phoneE164];
  throw new ProviderError(refusals.invalidParameters, { fields: ['email', 'phone'] });
}

function said({ caller }: GraphqlCall, words: Refusal): { code: number; message: string } {
  return { code: words.code, message: wordsOf(words, caller.language) };
}
