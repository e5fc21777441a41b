import { textSchema } from './names.ts';
import { profileFields, type Profile } from './profile-fields.ts';

/**
 * The profile fields of what a client sent; everything else in it is left alone. Null takes a field away.
 * @throws z.ZodError when one is no text, or too long
 */
export function readProfile(
  sent: Readonly<Record<string, unknown>>,
  current: Profile = {},
): Profile {
  const profile: Record<string, string> = { ...current };
  for (const field of profileFields) {
    const value = sent[field];
    if (value === undefined) continue;
    if (value === null) delete profile[field];
    else profile[field] = textSchema.parse(value, { reportInput: false });
  }
  return profile;
}
