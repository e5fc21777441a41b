import { z } from 'zod';
import { readCustomData, readJsonValues } from '../custom-values/read-custom-data.ts';
import type { CustomValue } from '../custom-values/custom-value.ts';
import { usernameSchema } from '../accounts/names.ts';
import type { UserChange } from '../accounts/provider-user.ts';
import { readProfile } from '../accounts/read-profile.ts';

/**
 * Optional input of every registration in addition to its identifiers (identity-sdk.md, section 5,
 * `Register*`).
 */
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
 * Username and texts in the profile of a registration. Addresses and numbers in it are used only
 * with their proofs, because an account must not have another user's address.
 * @throws z.ZodError
 */
export function readRegistration({ profile, params, customData }: RegistrationExtras): {
  readonly user: UserChange;
  readonly customData: readonly CustomValue[];
} {
  const sent = profile ?? {};
  const { username } = sent;
  const udf = (udfSchema.parse(sent['udf']) ?? []).map(({ key, value }) => ({
    key,
    value: value ?? 'null',
  }));
  return {
    user: {
      profile: readProfile(sent),
      ...(username != null && { username: usernameSchema.parse(username) }),
    },
    customData: [...readJsonValues(udf), ...readCustomData({ params, customData })],
  };
}
