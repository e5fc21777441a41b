import { z } from 'zod';
import { readCustomData, readJsonValues } from '../custom-values/read-custom-data.ts';
import type { CustomValue } from '../custom-values/custom-value.ts';
import { usernameSchema } from '../accounts/names.ts';
import type { UserChange } from '../accounts/provider-user.ts';
import { readProfile } from '../accounts/read-profile.ts';

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
 * User name and texts in the profile of a registration. Addresses and numbers in it count with their proof only, which
 * brings them along: an account must not hold the address of somebody else.
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
