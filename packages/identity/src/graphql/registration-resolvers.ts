import { emailSchema, usernameSchema } from '../accounts/names.ts';
import {
  afterRegistration,
  createAccount,
  type NewAccount,
} from '../registration/register-user.ts';
import { readRegistration, type RegistrationExtras } from '../registration/read-registration.ts';
import type { UserChange } from '../accounts/provider-user.ts';
import type { GraphqlCall, Resolvers } from './graphql-call.ts';

interface ByEmail extends RegistrationExtras {
  readonly email: string;
  readonly password: string;
}

interface ByUsername extends RegistrationExtras {
  readonly username: string;
  readonly password: string;
}

interface ByPhoneCode extends RegistrationExtras {
  readonly phone: string;
  readonly phoneCountryCode?: string | null;
  readonly code: string;
  readonly password?: string | null;
}

/** Registrations. The code of a number verifies it; an address that came with a password waits for its own. */
export const registrationResolvers = {
  registerByEmail(_parent, { input }: { input: ByEmail }, call) {
    const names = { email: emailSchema.parse(input.email), emailVerified: false };
    return register(call, input, { user: names, password: input.password, method: 'basic:email' });
  },
  registerByUsername(_parent, { input }: { input: ByUsername }, call) {
    const names = { username: usernameSchema.parse(input.username) };
    const { password } = input;
    return register(call, input, { user: names, password, method: 'basic:username-password' });
  },
  async registerByPhoneCode(_parent, { input }: { input: ByPhoneCode }, call) {
    const { users, codes } = call.provider;
    const phone = users.readPhone(input.phone, input.phoneCountryCode);
    const sent = {
      to: phone.phoneE164,
      code: input.code,
      purposes: ['register', 'login'] as const,
    };
    return register(call, input, {
      user: { ...phone, phoneVerified: true },
      password: input.password,
      code: await codes.check(sent, call.caller),
      method: 'basic:phone',
    });
  },
} satisfies Resolvers;

async function register(
  { provider, caller }: GraphqlCall,
  input: RegistrationExtras,
  own: Pick<NewAccount, 'password' | 'code'> & {
    readonly user: UserChange;
    readonly method: string;
  },
): Promise<unknown> {
  const { method, ...account } = own;
  const { emailToken, phoneToken, forceLogin, generateToken } = input;
  const read = readRegistration(input);
  const user = await createAccount(
    provider,
    {
      ...account,
      user: { ...read.user, ...own.user, registerSource: [method] },
      customData: read.customData,
      emailToken,
      phoneToken,
    },
    caller,
  );
  return afterRegistration(provider, user, caller, { forceLogin, generateToken, method });
}
