import type { ProviderContext } from '../provider/provider-context.ts';
import { accountOfAddress } from '../sign-in/prove-address.ts';
import { FIRST_LOGIN_TICKET, FORCE_RESET_TICKET } from '../sign-in/password-change-gate.ts';
import type { Ticket } from '../tickets/ticket.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import type { SignedInCaller } from '../provider/wire/require-user.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { keepNewPassword } from './keep-new-password.ts';

/**
 * Changes the signed-in user's password; an existing one is required. The user's other sessions
 * end.
 * @throws ProviderError wrongOldPassword, passwordRefusals, unreadablePassword, tooManyRequests
 */
export async function changePassword(
  context: ProviderContext,
  caller: SignedInCaller,
  sent: { readonly newPassword: string; readonly oldPassword?: string | null },
): Promise<ProviderUser> {
  const { user, signIn } = caller;
  if (user.passwordHash !== null) await checkOld(context, user, sent.oldPassword ?? '', caller);
  const newPassword = context.passwords.open(sent.newPassword);
  return keepNewPassword(context, { user, newPassword, exceptSession: signIn.session.id }, caller);
}

/**
 * Sets a password with a code that was sent to the person.
 * @throws ProviderError userDoesNotExist, wrongCode, codeExpired, codeTriesUsed, passwordRefusals
 */
export async function resetPassword(
  context: ProviderContext,
  sent: {
    readonly to: readonly ['email' | 'phone', string];
    readonly code: string;
    readonly newPassword: string;
  },
  caller: Caller,
): Promise<void> {
  const { codes, passwords } = context;
  const [key, address] = sent.to;
  const newPassword = passwords.open(sent.newPassword);
  // Before a try is taken: a weak password costs no code.
  const refusal = await passwords.check(newPassword);
  if (refusal !== undefined) throw new ProviderError(refusal);
  const code = { to: address, purposes: ['reset-password'] as const, code: sent.code };
  const checked = await codes.check(code, caller);
  const user = await accountOfAddress(context, sent.to);
  await keepNewPassword(context, { user, newPassword, proves: key, code: checked }, caller);
}

/** @throws ProviderError ticketHasEnded, passwordRefusals */
export async function setFirstPassword(
  context: ProviderContext,
  sent: { readonly token: string; readonly password: string },
  caller: Caller,
): Promise<void> {
  const newPassword = context.passwords.open(sent.password);
  const user = await userOfTicket(
    context,
    await context.tickets.read(FIRST_LOGIN_TICKET, sent.token),
  );
  const ticket = { purpose: FIRST_LOGIN_TICKET, text: sent.token };
  await keepNewPassword(context, { user, newPassword, ticket }, caller);
}

/** @throws ProviderError ticketHasEnded, wrongOldPassword, passwordRefusals */
export async function replaceForcedPassword(
  context: ProviderContext,
  sent: { readonly token: string; readonly oldPassword: string; readonly newPassword: string },
  caller: Caller,
): Promise<void> {
  const newPassword = context.passwords.open(sent.newPassword);
  const user = await userOfTicket(
    context,
    await context.tickets.read(FORCE_RESET_TICKET, sent.token),
  );
  await checkOld(context, user, sent.oldPassword, caller);
  const ticket = { purpose: FORCE_RESET_TICKET, text: sent.token };
  await keepNewPassword(context, { user, newPassword, ticket }, caller);
}

async function userOfTicket({ users }: ProviderContext, { userId }: Ticket): Promise<ProviderUser> {
  const user = userId === null ? undefined : await users.find(userId);
  if (user === undefined) throw new ProviderError(refusals.ticketHasEnded);
  return user;
}

async function checkOld(
  { signIns }: ProviderContext,
  user: ProviderUser,
  sent: string,
  caller: Caller,
): Promise<void> {
  const account = user.email ?? user.username ?? user.id;
  await signIns.checkPassword(user, { account, sent }, caller).catch((error: unknown) => {
    const isWrong = error instanceof ProviderError && error.refusal === refusals.wrongPassword;
    throw isWrong ? new ProviderError(refusals.wrongOldPassword) : error;
  });
}
