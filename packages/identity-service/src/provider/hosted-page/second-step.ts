import { z } from 'zod';
import { attempt } from '../mfa/mfa-caller.ts';
import { MFA_TICKET, mfaTicketSchema } from '../mfa/mfa-gate.ts';
import { mfaRefusals } from '../mfa/mfa-refusals.ts';
import { createTotps } from '../mfa/totp.ts';
import type { ProviderContext } from '../provider-context.ts';
import type { SignedIn } from '../sign-in/sign-ins.ts';
import type { Caller } from '../wire/caller.ts';
import { ProviderError } from '../wire/provider-error.ts';
import type { Act } from './act-schema.ts';

const hintsSchema = z.object({ mfaToken: z.string(), totpMfaEnabled: z.literal(true) });

/** What proves the first step, where the refusal asks for the code of an authenticator app; undefined otherwise. */
export function secondStepTokenOf(error: unknown): string | undefined {
  if (!(error instanceof ProviderError)) return undefined;
  return hintsSchema.safeParse(error.data).data?.mfaToken;
}

/**
 * Finishes a sign-in by the code of an authenticator app; wrong ones count against the person.
 * @throws ProviderError mfaTokenHasEnded, tooManyRequests, and when the code is not right
 */
export async function takeSecondStep(
  context: ProviderContext,
  { code, token }: Act,
  caller: Caller,
): Promise<SignedIn> {
  const ended = (): never => {
    throw new ProviderError(mfaRefusals.mfaTokenHasEnded);
  };
  const ticket = await context.tickets.read(MFA_TICKET, token).catch(ended);
  const { appId, firstMethod, offered } = mfaTicketSchema.parse(ticket.data);
  const user = ticket.userId === null ? undefined : await context.users.find(ticket.userId);
  const isOurs = appId === caller.application.appId && offered.includes('OTP');
  if (user === undefined || !isOurs) return ended();
  await attempt(context, { user }, () => createTotps(context).verify(user.id, code));
  await context.tickets.spend(MFA_TICKET, token).catch(ended);
  const step = { method: `${firstMethod}+otp`, isSecondStep: true };
  return context.signIns.complete(user, caller, step);
}
