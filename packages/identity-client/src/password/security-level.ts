import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { IdentityError } from '../core/identity-error.ts';

/** Strength of a password. */
export const PasswordSecurityLevel = { LOW: 1, MIDDLE: 2, HIGH: 3 } as const;
export type PasswordSecurityLevel =
  (typeof PasswordSecurityLevel)[keyof typeof PasswordSecurityLevel];

/** An application's minimum password strength. */
export const AppPasswordStrengthLimit = { NoCheck: 0, Low: 1, Middle: 2, High: 3 } as const;
export type AppPasswordStrengthLimit =
  (typeof AppPasswordStrengthLimit)[keyof typeof AppPasswordStrengthLimit];

const HIGH_LENGTH = 12;
const MIDDLE_LENGTH = 8;

/**
 * High: 12 characters with a lowercase letter, an uppercase letter, and a digit. Middle: 8
 * characters with a letter and a digit.
 */
export function computePasswordSecurityLevel(password: string): PasswordSecurityLevel {
  if (typeof password !== 'string') {
    throw new IdentityError('password must be a `string`', { code: 'INVALID_ARGUMENT' });
  }
  const has = (pattern: RegExp): boolean => pattern.test(password);
  if (password.length >= HIGH_LENGTH && has(/[a-z]/) && has(/[A-Z]/) && has(/[0-9]/)) {
    return PasswordSecurityLevel.HIGH;
  }
  return password.length >= MIDDLE_LENGTH && has(/[a-zA-Z]/) && has(/[0-9]/)
    ? PasswordSecurityLevel.MIDDLE
    : PasswordSecurityLevel.LOW;
}

/** Security level of an account. */
export interface SecurityLevel {
  readonly email: boolean;
  readonly mfa: boolean;
  readonly password: boolean;
  readonly phone: boolean;
  readonly passwordSecurityLevel: PasswordSecurityLevel | null;
  readonly score: number;
}

/** The security level of the current user's account. */
export async function getSecurityLevel(
  client: IdentityClient,
  { signal }: CallOptions = {},
): Promise<SecurityLevel> {
  const path = '/api/v2/users/me/security-level';
  return (await client.rest({ method: 'GET', path, signal })) as SecurityLevel;
}
