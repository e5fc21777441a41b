import { changePassword } from '../own-account/change-password.ts';
import { contactChanges } from '../own-account/change-contact.ts';
import { updateProfile, type ProfileUpdate } from '../own-account/update-profile.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { toWireUser } from '../accounts/wire-user.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import type { SignedInCaller } from '../provider/wire/require-user.ts';
import type { GraphqlCall, Resolvers } from './graphql-call.ts';

interface EmailChange {
  readonly email: string;
  readonly emailCode: string;
  readonly oldEmail?: string | null;
  readonly oldEmailCode?: string | null;
}

interface PhoneChange {
  readonly phone: string;
  readonly phoneCode: string;
  readonly phoneCountryCode?: string | null;
  readonly oldPhone?: string | null;
  readonly oldPhoneCode?: string | null;
  readonly oldPhoneCountryCode?: string | null;
}

/** Changes that people make to their own account. */
export const accountResolvers = {
  async updateUser(_parent, { id, ...update }: ProfileUpdate & { id?: string | null }, call) {
    const caller = await call.requireUser();
    if (id && id !== caller.user.id) throw new ProviderError(refusals.notAllowed);
    return answer(caller, updateProfile(call.provider, caller, update));
  },
  async updatePassword(_parent, sent: { newPassword: string; oldPassword?: string | null }, call) {
    const caller = await call.requireUser();
    return answer(caller, changePassword(call.provider, caller, sent));
  },
  async updateEmail(_parent, { email, emailCode, oldEmail, oldEmailCode }: EmailChange, call) {
    const old = oldEmail && oldEmailCode ? { email: oldEmail, code: oldEmailCode } : undefined;
    return change(call, (changes) => changes.updateEmail({ email, code: emailCode }, old));
  },
  async updatePhone(_parent, sent: PhoneChange, call) {
    const { oldPhone, oldPhoneCode, oldPhoneCountryCode } = sent;
    const old =
      oldPhone && oldPhoneCode
        ? { phone: oldPhone, code: oldPhoneCode, phoneCountryCode: oldPhoneCountryCode }
        : undefined;
    return change(call, (changes) => changes.updatePhone(provenPhone(sent), old));
  },
  bindEmail: (_parent, { email, emailCode }: EmailChange, call) =>
    change(call, async (changes) => changes.bindEmail({ email, code: emailCode })),
  bindPhone: (_parent, sent: PhoneChange, call) =>
    change(call, async (changes) => changes.bindPhone(provenPhone(sent))),
  unbindEmail: (_parent, _given: unknown, call) => change(call, (changes) => changes.unbindEmail()),
  unbindPhone: (_parent, _given: unknown, call) => change(call, (changes) => changes.unbindPhone()),
} satisfies Resolvers;

type ContactChanges = ReturnType<typeof contactChanges>;

async function change(
  call: GraphqlCall,
  run: (changes: ContactChanges) => Promise<ProviderUser>,
): Promise<unknown> {
  const caller = await call.requireUser();
  return answer(caller, run(contactChanges(call.provider, caller)));
}

/** Clients store what they are answered: without the token they would sign themselves out (identity-sdk.md, section 3). */
async function answer(
  { token, signIn }: SignedInCaller,
  changed: Promise<ProviderUser>,
): Promise<unknown> {
  const { expiresAt } = signIn;
  return toWireUser(await changed, token === undefined ? undefined : { token, expiresAt });
}

function provenPhone({ phone, phoneCode, phoneCountryCode }: PhoneChange) {
  return { phone, phoneCountryCode, code: phoneCode };
}
