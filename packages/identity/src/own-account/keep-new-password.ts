import { inTransaction } from '../database/in-transaction.ts';
import type { CheckedCode } from '../codes/codes.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { firstProof, type AddressKind } from '../sign-in/prove-address.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { tellOfChange } from './tell-of-change.ts';

export interface NewPassword {
  readonly user: ProviderUser;
  /** In clear. */
  readonly newPassword: string;
  /** The address that the code also verifies. */
  readonly proves?: AddressKind;
  /** The code that authorizes the change; used up in the same transaction. */
  readonly code?: CheckedCode;
  readonly ticket?: { readonly purpose: string; readonly text: string };
  /** The session to keep; all others end. */
  readonly exceptSession?: string;
}

/** @throws ProviderError passwordRefusals, wrongCode, ticketHasEnded */
export async function keepNewPassword(
  context: ProviderContext,
  { user, newPassword, proves, code, ticket, exceptSession }: NewPassword,
  caller: Caller,
): Promise<ProviderUser> {
  const { db, codes, tickets, tokens, users, passwords } = context;
  const kept = await passwords.keep(newPassword);
  const changed = await inTransaction(db, async (client) => {
    if (code !== undefined) await codes.spend(code, client);
    if (ticket !== undefined) await tickets.spend(ticket.purpose, ticket.text, client);
    await context.signIns.writeChange(client, user, caller, 'password');
    await tokens.endSessionsOf(user.id, exceptSession, client);
    if (proves !== undefined) await firstProof(context, user, proves, client);
    const password = { passwordHash: kept.hash, passwordLevel: kept.level };
    return users.update(user.id, { ...password, mustResetPassword: false }, client);
  });
  await tellOfChange(context, { what: 'password', before: user, after: changed }, caller);
  return changed;
}
