import { z } from 'zod';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { SignInGate } from '../sign-in/sign-ins.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { maskedContacts } from './masked-contacts.ts';
import { mfaMethodsOf, setUpMethodsOf, type MfaMethod } from './mfa-methods.ts';
import { mfaRefusals } from './mfa-refusals.ts';

export const MFA_TICKET = 'mfa';
const MFA_TICKET_LIFE_MS = 5 * 60_000;

/** Data of an MFA token, in addition to the user. */
export const mfaTicketSchema = z.object({
  appId: z.string(),
  /** How the first step was done. */
  firstMethod: z.string(),
  offered: z.array(z.enum(['OTP', 'FACE', 'SMS', 'EMAIL', 'PASSKEY'])),
  /** The person has no second step yet, and may set one up with this token. */
  mayBind: z.boolean(),
});
export type MfaTicket = z.output<typeof mfaTicketSchema>;

/**
 * Requires a second factor from users who have set one up, or from all users by the settings: the
 * sign-in is rejected with 1636 (or 1635 if one must be set up first), and `data.mfaToken`
 * authorizes the calls that complete it.
 */
export function createMfaGate(
  context: Pick<ProviderContext, 'db' | 'passkeys' | 'plugIns' | 'settings' | 'tickets'>,
): SignInGate {
  return async (user, caller, { method }) => {
    const { own, offered } = await mfaMethodsOf(context, user, method);
    const isRequired =
      context.settings.secondStep === 'required' || caller.application.secondStep === 'required';
    if (own.length === 0 && !isRequired) return;
    const data: MfaTicket = {
      appId: caller.application.appId,
      firstMethod: method,
      offered: [...offered],
      mayBind: offered.length === 0,
    };
    const mfaToken = await context.tickets.issue({
      ...{ purpose: MFA_TICKET, userId: user.id, data, lifeMs: MFA_TICKET_LIFE_MS },
    });
    const refusal = data.mayBind ? mfaRefusals.bindSecondStep : mfaRefusals.secondStepNeeded;
    throw new ProviderError(refusal, {
      mfaToken,
      ...hintsOf(user, data.mayBind ? setUpMethodsOf(context, method) : offered),
      ...(data.mayBind && { totpMfaEnabled: false, faceMfaEnabled: false }),
    });
  };
}

/** Information for clients to offer or set up a second factor; addresses are masked. */
function hintsOf(user: ProviderUser, offered: readonly MfaMethod[]): object {
  const { nickname = null, photo = null } = user.profile;
  return {
    ...{ nickname, avatar: photo, username: user.username },
    ...maskedContacts(user),
    phoneCountryCode: user.phoneCountryCode,
    totpMfaEnabled: offered.includes('OTP'),
    faceMfaEnabled: offered.includes('FACE'),
    applicationMfa: offered.map((mfaPolicy, index) => ({ mfaPolicy, status: 1, sort: index + 1 })),
  };
}
