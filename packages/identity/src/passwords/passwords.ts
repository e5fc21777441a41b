import type { ProviderKeys } from '../keys/load-provider-keys.ts';
import { ProviderError, type Refusal } from '../provider/wire/provider-error.ts';
import { hashPassword, matchesPassword } from './hash-password.ts';
import { openPassword } from './open-password.ts';
import { checkPassword, type PasswordRules } from './check-password.ts';
import { passwordLevelOf, type PasswordLevel } from './password-level.ts';

/** A new password, ready to be kept. */
export interface KeptPassword {
  readonly hash: string;
  readonly level: PasswordLevel;
}

/** Operations on passwords that clients send encrypted. */
export interface Passwords {
  /** @throws ProviderError unreadablePassword */
  open(sent: string): string;
  /** Whether it is the password of this hash; takes as long without one. */
  matches(password: string, hash: string | null): Promise<boolean>;
  /** Why a new password may not be this one; undefined: it may. */
  check(password: string): Promise<Refusal | undefined>;
  /** @throws ProviderError as for `check` */
  keep(password: string): Promise<KeptPassword>;
}

export function createPasswords(
  keys: ProviderKeys,
  { costBits, ...rules }: PasswordRules & { readonly costBits: number },
): Passwords {
  const check = (password: string): Promise<Refusal | undefined> => checkPassword(password, rules);
  return {
    open: (sent) => openPassword(keys, sent),
    matches: (password, hash) => matchesPassword(password, hash, costBits),
    check,
    async keep(password) {
      const refusal = await check(password);
      if (refusal !== undefined) throw new ProviderError(refusal);
      return { hash: await hashPassword(password, costBits), level: passwordLevelOf(password) };
    },
  };
}
