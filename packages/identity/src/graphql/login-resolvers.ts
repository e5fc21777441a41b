import { readCustomData } from '../custom-values/read-custom-data.ts';
import { logInByCode } from '../sign-in/log-in-by-code.ts';
import { logInByPassword, type PasswordLogin } from '../sign-in/log-in-by-password.ts';
import { emailSchema, usernameSchema } from '../accounts/names.ts';
import type { UserChange } from '../accounts/provider-user.ts';
import { toWireUser } from '../accounts/wire-user.ts';
import type { GraphqlCall, Resolvers } from './graphql-call.ts';

interface Extras {
  readonly autoRegister?: boolean | null;
  readonly params?: string | null;
}

interface ByPassword extends Extras {
  readonly password: string;
}

interface ByPhone extends Extras {
  readonly phone: string;
  readonly phoneCountryCode?: string | null;
}

/** Sign-ins: by password, and by a code that was sent to a number. */
export const loginResolvers = {
  async loginByEmail(_parent, { input }: { input: ByPassword & { email: string } }, call) {
    const found = await call.provider.users.findBy('email', input.email);
    return byPassword(call, input, { found, account: input.email }, () => ({
      email: emailSchema.parse(input.email),
      registerSource: ['basic:email'],
    }));
  },
  async loginByUsername(_parent, { input }: { input: ByPassword & { username: string } }, call) {
    const found = await call.provider.users.findBy('username', input.username);
    return byPassword(call, input, { found, account: input.username }, () => ({
      username: usernameSchema.parse(input.username),
      registerSource: ['basic:username-password'],
    }));
  },
  async loginByPhonePassword(_parent, { input }: { input: ByPassword & ByPhone }, call) {
    const { users } = call.provider;
    const phone = users.readPhone(input.phone, input.phoneCountryCode);
    const found = await users.findBy('phone', phone.phoneE164);
    return byPassword(call, input, { found, account: phone.phoneE164 }, () => ({
      ...phone,
      registerSource: ['basic:phone'],
    }));
  },
  async loginBySubAccount(_parent, given: { account: string; password: string }, call) {
    const found = await call.provider.users.findBy('subAccount', given.account);
    return byPassword(call, given, { found, account: given.account });
  },
  async loginByPhoneCode(_parent, { input }: { input: ByPhone & { code: string } }, call) {
    const { provider, caller } = call;
    const { phoneE164 } = provider.users.readPhone(input.phone, input.phoneCountryCode);
    const login = { to: { phoneE164 }, code: input.code, customData: readCustomData(input) };
    const { user, issued } = await logInByCode(provider, login, caller);
    return { ...toWireUser(user, issued), newlyCreated: false };
  },
} satisfies Resolvers;

async function byPassword(
  { provider, caller }: GraphqlCall,
  given: Extras & { readonly password: string },
  who: Pick<PasswordLogin, 'found' | 'account'>,
  newAccount?: () => UserChange,
): Promise<unknown> {
  const register = given.autoRegister && who.found === undefined ? newAccount?.() : undefined;
  const customData = readCustomData(given);
  const login = { ...who, sent: given.password, customData, register };
  const { user, issued, newlyCreated } = await logInByPassword(provider, login, caller);
  return { ...toWireUser(user, issued), newlyCreated };
}
