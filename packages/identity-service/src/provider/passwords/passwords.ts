import type { ProviderKeys } from '../keys/load-provider-keys.ts';
import { ProviderError } from '../wire/provider-error.ts';
import { refusals } from '../wire/refusals.ts';
import { hashPassword, matchesPassword } from './hash-password.ts';
import { openPassword } from './open-password.ts';
import {
  isStrongEnough,
  passwordLevelOf,
  type PasswordLevel,
  type PasswordRequirement,
} from './password-level.ts';

/** A new password, ready to be kept. */
export interface KeptPassword {
  readonly hash: string;
  readonly level: PasswordLevel;
}

/** What can be done with passwords as clients send them: encrypted. */
export interface Passwords {
  /** @throws ProviderError unreadablePassword */
  open(sent: string): string;
  /** Whether it is the password of this hash; takes as long without one. */
  matches(password: string, hash: string | null): Promise<boolean>;
  /** Whether a new password may be this one. */
  isStrongEnough(password: string): boolean;
  /** @throws ProviderError weakPassword */
  keep(password: string): Promise<KeptPassword>;
}

export function createPasswords(
  keys: ProviderKeys,
  {
    requirement,
    costBits,
  }: { readonly requirement: PasswordRequirement; readonly costBits: number },
): Passwords {
  const strong = (password: string): boolean => isStrongEnough(password, requirement);
  return {
    open: (sent) => openPassword(keys, sent),
    matches: (password, hash) => matchesPassword(password, hash, costBits),
    isStrongEnough: strong,
    async keep(password) {
      if (!strong(password)) throw new ProviderError(refusals.weakPassword);
      return { hash: await hashPassword(password, costBits), level: passwordLevelOf(password) };
    },
  };
}
