import { inTransaction } from '../database/in-transaction.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { spendProof } from '../tickets/address-proof.ts';
import { usernameSchema } from '../accounts/names.ts';
import type { ProviderUser, UserChange } from '../accounts/provider-user.ts';
import { profileFields } from '../accounts/profile-fields.ts';
import { readProfile } from '../accounts/read-profile.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import type { SignedInCaller } from '../provider/wire/require-user.ts';
import { tellOfChange } from './tell-of-change.ts';

export interface ProfileUpdate {
  readonly input: Readonly<Record<string, unknown>>;
  /** Proofs of the address and number in the input. */
  readonly emailToken?: string | null;
  readonly phoneToken?: string | null;
}

const OWN_FIELDS = new Set<string>([
  ...profileFields,
  'username',
  'email',
  'phone',
  'phoneCountryCode',
]);

/**
 * Changes the signed-in user's profile. An address or number changes only with its proof. Fields
 * that applications and administrators manage (`blocked`, `externalId` …) are read-only.
 * @throws ProviderError fieldIsNotYours, ticketHasEnded, userExists; z.ZodError for invalid texts
 */
export async function updateProfile(
  context: ProviderContext,
  caller: SignedInCaller,
  { input, emailToken, phoneToken }: ProfileUpdate,
): Promise<ProviderUser> {
  const { db, users, signIns } = context;
  const { user } = caller;
  const foreign = Object.keys(input).filter(
    (field) => !OWN_FIELDS.has(field) && input[field] !== undefined,
  );
  if (foreign.length > 0) throw new ProviderError(refusals.fieldIsNotYours, { fields: foreign });
  const changed = await inTransaction(db, async (client) => {
    const change: UserChange = {
      profile: readProfile(input, user.profile),
      ...(input['username'] != null && { username: usernameSchema.parse(input['username']) }),
    };
    const email = await proven('email', input['email'], emailToken, user.email);
    const phone = await proven('phone', input['phone'], phoneToken, user.phone);
    await signIns.writeChange(client, user, caller, 'profile');
    return users.update(
      user.id,
      {
        ...change,
        ...(email !== undefined && { email, emailVerified: true }),
        ...(phone !== undefined && { ...users.readPhone(phone), phoneVerified: true }),
      },
      client,
    );

    async function proven(
      kind: 'email' | 'phone',
      wanted: unknown,
      proof: string | null | undefined,
      current: string | null,
    ): Promise<string | undefined> {
      if (proof) return spendProof(context, kind, proof, client);
      if (wanted == null || wanted === current) return undefined;
      throw new ProviderError(refusals.fieldIsNotYours, { fields: [kind] });
    }
  });
  const contacts = { before: user, after: changed };
  if (changed.email !== user.email) {
    await tellOfChange(context, { what: 'email', ...contacts }, caller);
  }
  if (changed.phoneE164 !== user.phoneE164) {
    await tellOfChange(context, { what: 'phone', ...contacts }, caller);
  }
  return changed;
}
