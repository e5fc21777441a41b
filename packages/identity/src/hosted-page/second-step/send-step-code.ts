import { z } from 'zod';
import { requireOffered } from '../../mfa/mfa-caller.ts';
import { mfaRefusals } from '../../mfa/mfa-refusals.ts';
import { requireBindable } from '../../mfa/require-bindable.ts';
import type { ProviderContext } from '../../provider/provider-context.ts';
import { ProviderError } from '../../provider/wire/provider-error.ts';
import type { Act } from '../act-schema.ts';
import type { SecondStepCaller } from './open-second-step.ts';

/**
 * Sends the code of a second step: to the person's own address or number, or to the one that they set up.
 * @throws ProviderError methodNotOffered, tooManyRequests; z.ZodError for what is no address
 */
export async function sendStepCode(
  context: ProviderContext,
  caller: SecondStepCaller,
  { contact, method }: Act,
): Promise<void> {
  if (method !== 'SMS' && method !== 'EMAIL') throw new ProviderError(mfaRefusals.methodNotOffered);
  requireOffered(caller, method);
  if (caller.ticket.mayBind) await requireBindable(context, caller);
  const channel = method === 'SMS' ? 'sms' : 'email';
  const purpose = caller.ticket.mayBind ? 'bind-mfa' : 'verify-mfa';
  const to = recipientOf(context, caller, { contact, method });
  await context.codes.send({ channel, to, purpose }, caller);
}

/** @throws ProviderError methodNotOffered; z.ZodError for what is no address */
export function recipientOf(
  { users }: Pick<ProviderContext, 'users'>,
  { ticket, user }: SecondStepCaller,
  { contact, method }: { readonly contact: string; readonly method: 'SMS' | 'EMAIL' },
): string {
  if (ticket.mayBind) {
    return method === 'SMS'
      ? users.readPhone(contact).phoneE164
      : z.email().max(254).parse(contact);
  }
  const own = method === 'SMS' ? user.phoneE164 : user.email;
  if (own === null) throw new ProviderError(mfaRefusals.methodNotOffered);
  return own;
}
