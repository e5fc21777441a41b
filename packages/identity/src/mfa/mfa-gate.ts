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

/** What an MFA token stands for, beside the person. */
export const mfaTicketSchema = z.object({
  appId: z.string(),
  /** How the first step was done. */
  firstMethod: z.string(),
  offered: z.array(z.enum(['OTP', 'FACE', 'SMS', 'EMAIL'])),
  /** The person has no second step yet, and may set one up with this token. */
  mayBind: z.boolean(),
});
export type MfaTicket = z.output<typeof mfaTicketSchema>;

/**
 * Asks for a second step whoever set one up, and everybody where the settings say so: the sign-in is refused with 1636
 * (or 1635, when one has to be set up first), and `data.mfaToken` is the bearer of the calls that finish it.
 */
export function createMfaGate(
  context: Pick<ProviderContext, 'db' | 'plugIns' | 'settings' | 'tickets'>,
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

/** What a client needs to offer the steps, or to have one set up; addresses only as much as their owner needs to know them. */
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
