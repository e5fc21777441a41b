import type { Refusal } from '../provider/wire/provider-error.ts';
import { isCommonPassword } from './is-common-password.ts';
import { passwordLevelOf, type PasswordRequirement } from './password-level.ts';
import { passwordRefusals, tooShort } from './password-refusals.ts';

export interface PasswordRules {
  readonly requirement: PasswordRequirement;
  /** Characters of the shortest one, where anything is asked at all. */
  readonly shortest: number;
}

const LONGEST = 128;

/** Why it may not be taken as a new password; undefined: it may. */
export async function checkPassword(
  password: string,
  { requirement, shortest }: PasswordRules,
): Promise<Refusal | undefined> {
  if (password.length === 0) return tooShort(Math.max(1, shortest));
  if (password.length > LONGEST) return passwordRefusals.tooLong;
  if (requirement === 0) return undefined;
  if (password.length < shortest) return tooShort(shortest);
  if (passwordLevelOf(password) < requirement) return passwordRefusals.tooWeak;
  const isCommon = unitOf(password).length < shortest || (await isCommonPassword(password));
  return isCommon ? passwordRefusals.tooCommon : undefined;
}

/** The repeated unit, or the password itself. */
function unitOf(password: string): string {
  // A text that repeats is found in itself, doubled, before its end (and no pattern has to be tried at every place).
  return password.slice(0, (password + password).indexOf(password, 1));
}
