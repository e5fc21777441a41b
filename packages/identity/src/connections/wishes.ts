import { z } from 'zod';
import type { ProviderContext } from '../provider/provider-context.ts';
import { listCustomValues } from '../custom-values/custom-value-store.ts';
import type { CustomValue } from '../custom-values/custom-value.ts';
import { readCustomData } from '../custom-values/read-custom-data.ts';
import { listIdentities, type OutsideIdentity } from '../identities/identity-store.ts';
import { toWireUser, type WireUser } from '../accounts/wire-user.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';

/**
 * How the window's last page reports to the application: `query` and `form_post` use its
 * `targetUrl`.
 */
export const relaySchema = z.object({
  method: z.enum(['web_message', 'form_post', 'query']),
  targetUrl: z.string().optional(),
  uuid: z.string().optional(),
});
export type Relay = z.output<typeof relaySchema>;

/** Options of a client for an external sign-in (identity-sdk.md, section 12). */
export const wishesSchema = z.object({
  withIdentities: z.boolean().default(false),
  withCustomData: z.boolean().default(false),
  /** Custom values that the person gets. */
  customData: z.record(z.string(), z.unknown()).default({}),
});
export type Wishes = z.output<typeof wishesSchema>;

/** The values that the person gets. @throws z.ZodError when they are too many, or keys too long */
export function wishedValues({ customData }: Wishes): CustomValue[] {
  return readCustomData({ customData });
}

/** The user in the format that the client requested. */
export async function showAsWished(
  { db }: Pick<ProviderContext, 'db'>,
  user: ProviderUser,
  {
    wishes,
    issued,
  }: { readonly wishes: Wishes; readonly issued: Parameters<typeof toWireUser>[1] },
): Promise<WireUser> {
  const target = { type: 'USER', id: user.id };
  const { withCustomData, withIdentities } = wishes;
  return {
    ...toWireUser(user, issued),
    ...(withCustomData && { customData: await listCustomValues(db, target) }),
    ...(withIdentities && { identities: (await listIdentities(db, user.id)).map(toWireIdentity) }),
  };
}

/** docs/design/sign-in.md, section 3, "User", identities. */
function toWireIdentity({ id: _id, profile: _profile, ...identity }: OutsideIdentity): object {
  return identity;
}
