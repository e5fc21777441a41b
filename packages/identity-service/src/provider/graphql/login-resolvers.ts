import type { SignedIn } from '../sign-in/sign-ins.ts';
import type { ProviderUser } from '../users/provider-user.ts';
import { toWireUser, type WireUser } from '../users/wire-user.ts';
import type { GraphqlCall, Resolvers } from './graphql-call.ts';

interface PasswordLogin {
  readonly password: string;
}

/** Sign-ins by password. */
export const loginResolvers = {
  async loginByEmail(_parent, { input }: { input: PasswordLogin & { email: string } }, call) {
    const user = await call.provider.users.findBy('email', input.email);
    return logIn(call, user, { account: input.email, sent: input.password });
  },
  async loginByUsername(_parent, { input }: { input: PasswordLogin & { username: string } }, call) {
    const user = await call.provider.users.findBy('username', input.username);
    return logIn(call, user, { account: input.username, sent: input.password });
  },
  async loginByPhonePassword(
    _parent,
    { input }: { input: PasswordLogin & { phone: string; phoneCountryCode?: string } },
    call,
  ) {
    const { users } = call.provider;
    const { phoneE164 } = users.readPhone(input.phone, input.phoneCountryCode);
    const user = await users.findBy('phone', phoneE164);
    return logIn(call, user, { account: phoneE164, sent: input.password });
  },
} satisfies Resolvers;

async function logIn(
  { provider: { signIns }, caller }: GraphqlCall,
  found: ProviderUser | undefined,
  attempt: { readonly account: string; readonly sent: string },
): Promise<WireUser> {
  const user = await signIns.checkPassword(found, attempt, caller);
  return signedInUser(await signIns.complete(user, caller, { method: 'password' }));
}

/** The answer to a sign-in. */
export function signedInUser({ user, issued }: SignedIn): WireUser {
  return toWireUser(user, issued);
}
