import type { ProviderContext } from '../provider/provider-context.ts';
import { ProviderError, type Refusal } from '../provider/wire/provider-error.ts';
import type { SignInGate } from './sign-ins.ts';

const LIFE_MS = 10 * 60_000;

/** Tickets with which a password is changed before the first sign-in, or before the next. */
export const FIRST_LOGIN_TICKET = 'first-login';
export const FORCE_RESET_TICKET = 'force-reset';

const firstLogin: Refusal = {
  code: 2240,
  en: 'Change your password before you sign in for the first time',
  zh: '首次登录，请先修改密码',
};
const forceReset: Refusal = {
  code: 2241,
  en: 'Change your password before you sign in',
  zh: '请先修改密码',
};

/**
 * Users whose password was set by someone else must change it first; the error's data contains the
 * token for that.
 */
export function createPasswordChangeGate({
  tickets,
}: Pick<ProviderContext, 'tickets'>): SignInGate {
  return async ({ id, mustResetPassword, loginsCount }, _caller, { method }) => {
    if (!mustResetPassword || method !== 'password') return;
    const isFirst = loginsCount === 0;
    const purpose = isFirst ? FIRST_LOGIN_TICKET : FORCE_RESET_TICKET;
    const token = await tickets.issue({ purpose, userId: id, lifeMs: LIFE_MS });
    throw new ProviderError(isFirst ? firstLogin : forceReset, { token });
  };
}
