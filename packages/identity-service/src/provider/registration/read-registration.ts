import { z } from 'zod';
import { readCustomData, readJsonValues } from '../custom-values/read-custom-data.ts';
import type { CustomValue } from '../custom-values/custom-value.ts';
import { emailSchema, usernameSchema } from '../users/names.ts';
import type { UserChange } from '../users/provider-user.ts';
import { readProfile } from '../users/read-profile.ts';
import type { Users } from '../users/users.ts';

/** What every registration may carry beside its names (identity-sdk.md, section 5, `Register*`). */
export interface RegistrationExtras {
  readonly profile?: Readonly<Record<string, unknown>> | null;
  readonly params?: unknown;
  readonly customData?: unknown;
  readonly forceLogin?: boolean | null;
  readonly generateToken?: boolean | null;
  readonly emailToken?: string | null;
  readonly phoneToken?: string | null;
}

const udfSchema = z.array(z.object({ key: z.string(), value: z.string().nullish() })).nullish();

/**
 * Names and texts in the profile of a registration. Addresses and numbers in it are taken, and not verified.
 * @throws z.ZodError
 */
export function readRegistration(
  { profile, params, customData }: RegistrationExtras,
  users: Pick<Users, 'readPhone'>,
): { readonly user: UserChange; readonly customData: readonly CustomValue[] } {
  const sent = profile ?? {};
  const { email, username, phone } = sent;
  const udf = (udfSchema.parse(sent['udf']) ?? []).map(({ key, value }) => ({
    key,
    value: value ?? 'null',
  }));
  return {
    user: {
      profile: readProfile(sent),
      ...(email != null && { email: emailSchema.parse(email) }),
      ...(username != null && { username: usernameSchema.parse(username) }),
      ...(phone != null && users.readPhone(z.string().parse(phone))),
    },
    customData: [...readJsonValues(udf), ...readCustomData({ params, customData })],
  };
}
