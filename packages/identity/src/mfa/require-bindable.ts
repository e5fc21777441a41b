import type { ProviderContext } from '../provider/provider-context.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import type { MfaCaller } from './mfa-caller.ts';
import { mfaMethodsOf } from './mfa-methods.ts';
import { mfaRefusals } from './mfa-refusals.ts';

/**
 * During a sign-in, only who has no second step at all may set one up: the first step alone must not add one.
 * @throws ProviderError methodNotOffered
 */
export async function requireBindable(
  context: ProviderContext,
  { user, ticket }: MfaCaller,
): Promise<void> {
  if (ticket === undefined) return;
  const { own } = await mfaMethodsOf(context, user, ticket.firstMethod);
  if (!ticket.mayBind || own.length > 0) throw new ProviderError(mfaRefusals.methodNotOffered);
}
