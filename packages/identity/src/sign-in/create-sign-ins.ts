import type { IdentityEvent } from '../identity-event.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { RateLimitRule } from '../limits/rate-limits.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { accountName } from '../accounts/account-name.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { guessOf } from './guess-of.ts';
import type { SignInGate, SignIns } from './sign-ins.ts';

const MINUTE_MS = 60_000;

const rules = {
  typed: { name: 'provider-password-typed', hits: 10, windowMs: 15 * MINUTE_MS },
  account: { name: 'provider-password-account', hits: 10, windowMs: 15 * MINUTE_MS },
  address: { name: 'provider-password-address', hits: 60, windowMs: 15 * MINUTE_MS },
} as const satisfies Record<string, RateLimitRule>;

export function createSignIns(
  context: Pick<
    ProviderContext,
    | 'clock'
    | 'db'
    | 'guesses'
    | 'limits'
    | 'passwords'
    | 'record'
    | 'settings'
    | 'tokens'
    | 'users'
    | 'writeEvent'
  >,
): SignIns {
  const { clock, guesses, limits, passwords, settings, tokens, users } = context;
  const gates: SignInGate[] = [];
  const eventOf = (...given: EventArguments): IdentityEvent =>
    accountEvent(new Date(clock.now()), ...given);
  const note = (...given: EventArguments): void => context.record(eventOf(...given));
  const hit = async (rule: RateLimitRule, subject: string, caller: Caller): Promise<void> => {
    const waitMs = await limits.hit(rule, subject);
    if (waitMs === 0) return;
    note('limited', { account: subject, detail: rule.name }, caller);
    throw new ProviderError(refusals.tooManyRequests, { waitMs });
  };
  return {
    addGate: (gate) => void gates.push(gate),
    async complete(user, caller, step) {
      if (user.blocked || user.status !== 'Activated') {
        note('signInRefused', { user, detail: refusals.userIsBlocked.en }, caller);
        throw new ProviderError(refusals.userIsBlocked);
      }
      if (step.isSecondStep !== true) {
        for (const gate of gates) await gate(user, caller, step);
      }
      if (step.prepare !== undefined) await inTransaction(context.db, step.prepare);
      const issued = await tokens.startSession(user, {
        appId: caller.application.appId,
        method: step.method,
        address: caller.address,
        userAgent: caller.userAgent,
      });
      await guesses.reset(user.id);
      const counted = await users.countLogin(user.id, caller.address);
      note('signedIn', { user, detail: step.method }, caller);
      return { user: counted, issued };
    },
    async checkPassword(user, { account, sent, isPlain = false }, caller) {
      const typed = account.toLowerCase();
      const subject = user?.id ?? typed;
      await hit(rules.address, caller.address, caller);
      if (settings.hideUsers) await hit(rules.typed, typed, caller);
      // A user with several names has one limit; where users are hidden, reaching it must not show.
      const isHeldBack = settings.hideUsers && (await limits.hit(rules.account, subject)) > 0;
      if (!settings.hideUsers) await hit(rules.account, subject, caller);
      const password = isPlain ? sent : openOrNothing(passwords, sent);
      const isRight = await guesses.check(
        guessOf(user, account, caller),
        async () =>
          ((await passwords.matches(password, user?.passwordHash ?? null)) && !isHeldBack) ||
          undefined,
      );
      if (isRight === undefined || user === undefined) {
        note('signInRefused', { user, account, detail: refusals.wrongPassword.en }, caller);
        throw new ProviderError(refusals.wrongPassword);
      }
      await limits.undo(rules.address, caller.address);
      await limits.undo(rules.account, subject);
      if (settings.hideUsers) await limits.undo(rules.typed, typed);
      return user;
    },
    writeChange: (client, user, caller, what) =>
      context.writeEvent(client, eventOf('accountChanged', { user, detail: what }, caller)),
  };
}

interface EventAbout {
  readonly user?: ProviderUser | undefined;
  /** The typed identifier, if it is not the user's name. */
  readonly account?: string;
  readonly detail?: string;
}

type EventArguments = [kind: IdentityEvent['kind'], about: EventAbout, caller: Caller];

function accountEvent(
  at: Date,
  ...[kind, { user, account, detail }, { address, requestId }]: EventArguments
): IdentityEvent {
  return {
    kind,
    at,
    sub: user?.id,
    username: account ?? (user && accountName(user)),
    address,
    requestId,
    ...(detail !== undefined && { detail }),
  };
}

/** A password that cannot be read is a wrong one. */
function openOrNothing(passwords: ProviderContext['passwords'], sent: string): string {
  try {
    return passwords.open(sent);
  } catch {
    return '';
  }
}
