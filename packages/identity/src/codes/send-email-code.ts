import type { StoredPurpose } from './code-store.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { requireRegistration } from '../registration/registration-policy.ts';
import { emailSchema } from '../accounts/names.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { chooseDelivery } from './choose-delivery.ts';

/** Purpose of an email by scene (identity-sdk.md, section 5, `EmailScene`). */
const purposeOfScene = {
  RESET_PASSWORD: 'reset-password',
  RESET_PASSWORD_VERIFY_CODE: 'reset-password',
  VERIFY_EMAIL: 'verify-email',
  FIRST_EMAIL_LOGIN_VERIFY: 'verify-email',
  CONSOLE_CONDUCTED_VERIFY: 'verify-email',
  CHANGE_EMAIL: 'change-email',
  EMAIL_BIND_VERIFY_CODE: 'bind-email',
  EMAIL_UNBIND_VERIFY_CODE: 'unbind-email',
  MFA_VERIFY: 'verify-mfa',
  VERIFY_CODE: 'any',
  REGISTER_VERIFY_CODE: 'register',
  LOGIN_VERIFY_CODE: 'login',
  MFA_VERIFY_CODE: 'verify-mfa',
  INFORMATION_COMPLETION_VERIFY_CODE: 'complete-information',
} as const satisfies Record<string, StoredPurpose>;

export type EmailScene = keyof typeof purposeOfScene;

/**
 * Sends a code by email, if it can be used: unknown users get none for a sign-in or a new password,
 * and known users none for a registration. With hidden users, the response is always as if a code
 * was sent.
 * @throws ProviderError userDoesNotExist, userNotAuthorized, userExists, tooManyRequests
 */
export async function sendEmailCode(
  context: ProviderContext,
  given: { readonly email: string; readonly scene: EmailScene },
  caller: Caller,
): Promise<void> {
  const email = emailSchema.parse(given.email);
  const purpose = purposeOfScene[given.scene];
  if (purpose === 'register') requireRegistration(context.settings, caller.application, email);
  const delivery = await chooseDelivery(context, purpose, ['email', email]);
  await context.codes.send({ channel: 'email', to: email, purpose, ...delivery }, caller);
}
