import type { RateLimitRule } from '../limits/rate-limits.ts';
import { inTransaction, type Queryable } from '../database/in-transaction.ts';
import type { CheckedCode } from '../codes/codes.ts';
import { keepCustomValues } from '../custom-values/change-custom-values.ts';
import { requireRegistration } from './registration-policy.ts';
import type { CustomValue } from '../custom-values/custom-value.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { ProviderUser, UserChange } from '../accounts/provider-user.ts';
import { toWireUser, type WireUser } from '../accounts/wire-user.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { spendProof } from '../tickets/address-proof.ts';

/** A new account, read and checked. */
export interface NewAccount {
  readonly user: UserChange;
  /** As the client sent it. */
  readonly password?: string | null | undefined;
  readonly customData: readonly CustomValue[];
  /** The code that proves the address or number. */
  readonly code?: CheckedCode;
  /** Proofs of an additional address or number. */
  readonly emailToken?: string | null | undefined;
  readonly phoneToken?: string | null | undefined;
}

export interface AfterRegistration {
  /** Signs in immediately, as a full sign-in. */
  readonly forceLogin?: boolean | null | undefined;
  /** Starts a session immediately, without the checks and records of a sign-in. */
  readonly generateToken?: boolean | null | undefined;
  readonly method: string;
}

const rule: RateLimitRule = { name: 'provider-register-address', hits: 60, windowMs: 900_000 };

/**
 * Makes an account: codes and proofs are used up in the same transaction, so that of two who come with one of them, or
 * for one name, one is refused and nothing of theirs stays.
 * @throws ProviderError registrationIsClosed, addressIsNotProven, userExists, passwordRefusals, wrongCode, ticketHasEnded
 */
export async function createAccount(
  context: ProviderContext,
  account: NewAccount,
  caller: Caller,
): Promise<ProviderUser> {
  const { db, limits, passwords, settings, users } = context;
  // A typed address can still be proven below, by a token in the request.
  if (!account.emailToken)
    requireRegistration(settings, caller.application, provenEmail(account.user));
  if (settings.hideUsers) requireProofs(account);
  const waitMs = await limits.hit(rule, caller.address);
  if (waitMs > 0) throw new ProviderError(refusals.tooManyRequests, { waitMs });
  const kept = account.password
    ? await passwords.keep(passwords.open(account.password))
    : undefined;
  return inTransaction(db, async (client) => {
    if (account.code !== undefined) await context.codes.spend(account.code, client);
    const names = await provenNames(context, account, client);
    const proven = provenEmail({ ...account.user, ...names });
    requireRegistration(settings, caller.application, proven);
    const made = await users.create(
      {
        ...account.user,
        ...names,
        ...(kept && { passwordHash: kept.hash, passwordLevel: kept.level }),
      },
      client,
    );
    await context.writeEvent(client, {
      kind: 'registered',
      at: made.createdAt,
      sub: made.id,
      username: made.email ?? made.username ?? made.phoneE164 ?? made.id,
      address: caller.address,
      requestId: caller.requestId,
      detail: made.registerSource.join(' '),
    });
    await keepCustomValues(context, client, { user: made, caller }, account.customData);
    return made;
  });
}

/** The new account, signed in if requested. */
export async function afterRegistration(
  { signIns, tokens }: ProviderContext,
  user: ProviderUser,
  caller: Caller,
  { forceLogin, generateToken, method }: AfterRegistration,
): Promise<WireUser> {
  if (forceLogin) {
    const signedIn = await signIns.complete(user, caller, { method });
    return { ...toWireUser(signedIn.user, signedIn.issued), newlyCreated: true };
  }
  if (!generateToken) return { ...toWireUser(user), newlyCreated: true };
  const { address, userAgent, application } = caller;
  const session = { appId: application.appId, method, address, userAgent };
  return { ...toWireUser(user, await tokens.startSession(user, session)), newlyCreated: true };
}

/**
 * With hidden users, a registration must prove an address or number and have no other typed one,
 * because the error of a duplicate would reveal an account.
 * @throws ProviderError addressIsNotProven
 */
function requireProofs({ user, emailToken, phoneToken }: NewAccount): void {
  const { email, emailVerified, phoneE164, phoneVerified } = user;
  const isTyped =
    (Boolean(email) && emailVerified !== true && !emailToken) ||
    (Boolean(phoneE164) && phoneVerified !== true && !phoneToken);
  const hasProof =
    emailVerified === true || phoneVerified === true || Boolean(emailToken || phoneToken);
  if (isTyped || !hasProof) throw new ProviderError(refusals.addressIsNotProven);
}

/** An allow-list of domains is for addresses that were shown, not for those that were typed. */
function provenEmail({ email, emailVerified }: UserChange): string | undefined {
  return emailVerified === true ? (email ?? undefined) : undefined;
}

async function provenNames(
  context: ProviderContext,
  { emailToken, phoneToken }: NewAccount,
  client: Queryable,
): Promise<UserChange> {
  const email = emailToken ? await spendProof(context, 'email', emailToken, client) : undefined;
  const phone = phoneToken ? await spendProof(context, 'phone', phoneToken, client) : undefined;
  return {
    ...(email !== undefined && { email, emailVerified: true }),
    ...(phone !== undefined && { ...context.users.readPhone(phone), phoneVerified: true }),
  };
}
