import { personNameSchema, textSchema } from './names.ts';
import { profileFields, type Profile, type ProfileField } from './profile-fields.ts';

/**
 * Reads the profile fields from the input of a client and ignores other fields. Null removes a field.
 * @throws z.ZodError if a field is not a text, or too long
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
    else profile[field] = schemaOf(field).parse(value, { reportInput: false });
  }
  return profile;
}

const NAMES: ReadonlySet<ProfileField> = new Set([
  ...(['nickname', 'name', 'givenName', 'familyName', 'middleName'] as const),
  ...(['preferredUsername', 'company'] as const),
]);

function schemaOf(field: ProfileField) {
  return NAMES.has(field) ? personNameSchema : textSchema;
}
