import { inTransaction } from '../database/in-transaction.ts';
import { tellOfChange } from '../own-account/tell-of-change.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { UserChange } from '../accounts/provider-user.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { attempt, type MfaCaller } from './mfa-caller.ts';
import { isFirstChannel } from './mfa-methods.ts';
import { mfaRefusals } from './mfa-refusals.ts';
import { requireBindable } from './require-bindable.ts';

/** @throws ProviderError contactNotYours, methodNotOffered, wrongCode and its like, userExists */
export async function provePhone(
  context: ProviderContext,
  caller: MfaCaller,
  typed: {
    readonly phone: string;
    readonly phoneCountryCode?: string | null | undefined;
    readonly code: string;
  },
): Promise<void> {
  const number = context.users.readPhone(typed.phone, typed.phoneCountryCode);
  const isOwn = caller.user.phoneVerified && caller.user.phoneE164 === number.phoneE164;
  await proveContact(context, caller, {
    ...{ channel: 'SMS', recipient: number.phoneE164, code: typed.code, isOwn },
    change: { ...number, phoneVerified: true },
  });
}

/** @throws ProviderError contactNotYours, methodNotOffered, wrongCode and its like, userExists */
export async function proveEmail(
  context: ProviderContext,
  caller: MfaCaller,
  { code, email }: { readonly email: string; readonly code: string },
): Promise<void> {
  const { user } = caller;
  const isOwn = user.emailVerified && user.email?.toLowerCase() === email.toLowerCase();
  const change = { email, emailVerified: true };
  await proveContact(context, caller, {
    ...{ channel: 'EMAIL', recipient: email, code, isOwn, change },
  });
}

/**
 * Checks the code of a contact: of the person's own one, or, while a second step is set up, of one that becomes theirs.
 * @throws ProviderError contactNotYours, wrongCode and its like, userExists
 */
async function proveContact(
  context: ProviderContext,
  caller: MfaCaller,
  proof: {
    readonly channel: 'SMS' | 'EMAIL';
    readonly recipient: string;
    readonly code: string;
    readonly isOwn: boolean;
    readonly change: UserChange;
  },
): Promise<void> {
  const { user, ticket } = caller;
  const isBinding = ticket?.mayBind === true;
  if (isBinding) {
    await requireBindable(context, caller);
    if (isFirstChannel(ticket.firstMethod, proof.channel)) {
      throw new ProviderError(mfaRefusals.methodNotOffered);
    }
  } else if (!proof.isOwn) throw new ProviderError(mfaRefusals.contactNotYours);
  await attempt(context, caller, async () => {
    const { recipient: to, code: typed } = proof;
    const purposes = ['verify-mfa', 'bind-mfa'] as const;
    const code = { to, purposes, code: typed.trim(), isCounted: true };
    const checked = await context.codes.check(code, caller);
    const after = await inTransaction(context.db, async (client) => {
      await context.codes.spend(checked, client);
      if (proof.isOwn) return undefined;
      const what = 'a contact for the second factor was added';
      await context.signIns.writeChange(client, user, caller, what);
      return context.users.update(user.id, proof.change, client);
    });
    if (after === undefined) return;
    await tellOfChange(context, { what: 'second-step-added', before: user, after }, caller);
  });
}
