/** Low, middle, high (docs/design/sign-in.md, section 3). */
export type PasswordLevel = 1 | 2 | 3;
/** Required strength of passwords; 0 for none. */
export type PasswordRequirement = 0 | PasswordLevel;

const HIGH_CHARACTERS = 12;
const MIDDLE_CHARACTERS = 8;

/** How strong a password is (docs/design/sign-in.md, section 5, "Passwords"). */
export function passwordLevelOf(password: string): PasswordLevel {
  const has = (pattern: RegExp): boolean => pattern.test(password);
  if (password.length >= HIGH_CHARACTERS && has(/[a-z]/) && has(/[A-Z]/) && has(/\d/)) return 3;
  if (password.length >= MIDDLE_CHARACTERS && has(/[a-z]/i) && has(/\d/)) return 2;
  return 1;
}
