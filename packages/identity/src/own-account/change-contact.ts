import type { CodePurpose } from '../messenger.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { CheckedCode } from '../codes/codes.ts';
import { listIdentities } from '../identities/identity-store.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { emailSchema } from '../accounts/names.ts';
import type { ProviderUser, UserChange } from '../accounts/provider-user.ts';
import { ProviderError, type Refusal } from '../provider/wire/provider-error.ts';
import type { SignedInCaller } from '../provider/wire/require-user.ts';
import { tellOfChange } from './tell-of-change.ts';

/** An address or number, and the code that was sent to it. */
export interface ProvenEmail {
  readonly email: string;
  readonly code: string;
}
export interface ProvenPhone {
  readonly phone: string;
  readonly phoneCountryCode?: string | null | undefined;
  readonly code: string;
}

const alreadyBound: Refusal = {
  code: 2250,
  en: 'Already set. Change it instead.',
  zh: '已绑定，请使用修改功能',
};
const notBound: Refusal = { code: 2251, en: 'there is none', zh: '尚未绑定' };
const oldIsNeeded: Refusal = {
  code: 2252,
  en: 'The current value and a code that was sent to it are required',
  zh: '请先验证原邮箱或手机号',
};
const lastWayIn: Refusal = {
  code: 2253,
  en: 'This is your only way to sign in. Add another one first.',
  zh: '这是唯一的登录方式，请先绑定其他方式',
};

const NEW_EMAIL: readonly CodePurpose[] = ['bind-email', 'change-email', 'complete-information'];
const OLD_EMAIL: readonly CodePurpose[] = ['unbind-email', 'change-email'];
const NEW_PHONE: readonly CodePurpose[] = ['bind-phone', 'complete-information'];
const OLD_PHONE: readonly CodePurpose[] = ['unbind-phone'];

/** Changes of the signed-in user's email address and phone number; each is verified by a code. */
export function contactChanges(context: ProviderContext, caller: SignedInCaller) {
  const { codes, db, users, signIns } = context;
  const { user } = caller;
  const check = (to: string, code: string, purposes: readonly CodePurpose[]) =>
    codes.check({ to, code, purposes }, caller);
  const keep = async (
    change: UserChange,
    what: 'email' | 'phone',
    spent: readonly CheckedCode[] = [],
  ): Promise<ProviderUser> => {
    const changed = await inTransaction(db, async (client) => {
      for (const code of spent) await codes.spend(code, client);
      await signIns.writeChange(client, user, caller, what);
      return users.update(user.id, change, client);
    });
    await tellOfChange(context, { what, before: user, after: changed }, caller);
    return changed;
  };
  const setEmail = async ({ email, code }: ProvenEmail, old: readonly CheckedCode[] = []) => {
    const address = emailSchema.parse(email);
    const checked = await check(address, code, NEW_EMAIL);
    return keep({ email: address, emailVerified: true }, 'email', [...old, checked]);
  };
  const setPhone = async (
    { phone, phoneCountryCode, code }: ProvenPhone,
    old: readonly CheckedCode[] = [],
  ) => {
    const number = users.readPhone(phone, phoneCountryCode);
    const checked = await check(number.phoneE164, code, NEW_PHONE);
    return keep({ ...number, phoneVerified: true }, 'phone', [...old, checked]);
  };
  return {
    bindEmail(sent: ProvenEmail) {
      if (user.email !== null) throw new ProviderError(alreadyBound);
      return setEmail(sent);
    },
    bindPhone(sent: ProvenPhone) {
      if (user.phoneE164 !== null) throw new ProviderError(alreadyBound);
      return setPhone(sent);
    },
    async updateEmail(sent: ProvenEmail, old: ProvenEmail | undefined) {
      if (user.email === null) return setEmail(sent);
      const isOwn = old?.email.toLowerCase() === user.email.toLowerCase();
      if (old === undefined || !isOwn) throw new ProviderError(oldIsNeeded);
      return setEmail(sent, [await check(user.email, old.code, OLD_EMAIL)]);
    },
    async updatePhone(sent: ProvenPhone, old: ProvenPhone | undefined) {
      if (user.phoneE164 === null) return setPhone(sent);
      if (old === undefined) throw new ProviderError(oldIsNeeded);
      const { phoneE164 } = users.readPhone(old.phone, old.phoneCountryCode);
      if (phoneE164 !== user.phoneE164) throw new ProviderError(oldIsNeeded);
      return setPhone(sent, [await check(phoneE164, old.code, OLD_PHONE)]);
    },
    async unbindEmail() {
      if (user.email === null) throw new ProviderError(notBound);
      await refuseLastWayIn(context, { ...user, email: null });
      return keep({ email: null, emailVerified: false }, 'email');
    },
    async unbindPhone() {
      if (user.phoneE164 === null) throw new ProviderError(notBound);
      await refuseLastWayIn(context, { ...user, phoneE164: null });
      const none = { phone: null, phoneCountryCode: null, phoneE164: null };
      return keep({ ...none, phoneVerified: false }, 'phone');
    },
  };
}

/**
 * Prevents an account without any sign-in method: no address, no number, and no password with a
 * username.
 */
async function refuseLastWayIn({ db }: ProviderContext, left: ProviderUser): Promise<void> {
  if (left.email !== null || left.phoneE164 !== null) return;
  if (left.username !== null && left.passwordHash !== null) return;
  if ((await listIdentities(db, left.id)).length > 0) return;
  throw new ProviderError(lastWayIn);
}
