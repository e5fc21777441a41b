import { WireError } from '../wire/wire-error.ts';

const RULES: readonly (readonly [RegExp, string])[] = [
  [/^.{8,}$/s, 'Password not long enough'],
  [/[a-z]/, 'Password must have lowercase characters'],
  [/[A-Z]/, 'Password must have uppercase characters'],
  [/\d/, 'Password must have numeric characters'],
  [/[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+\- ]/, 'Password must have symbol characters'],
];

/**
 * The default policy of a user pool. There is no sign-in with a password here: a given password is
 * validated, so that applications get the errors of a hosted pool, and then discarded.
 * @throws InvalidPasswordException
 */
export function requirePassword(password: string): void {
  const broken = RULES.find(([rule]) => !rule.test(password));
  if (broken !== undefined) {
    throw new WireError(
      'InvalidPasswordException',
      `Password did not conform with policy: ${broken[1]}`,
    );
  }
}
