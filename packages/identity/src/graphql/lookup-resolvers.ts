import { ProviderError, wordsOf, type Refusal } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import type { RateLimitRule } from '../limits/rate-limits.ts';
import type { Users } from '../accounts/provider-users.ts';
import type { Resolvers } from './graphql-call.ts';

interface Names {
  readonly username?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly externalId?: string | null;
}

const rule: RateLimitRule = { name: 'provider-lookup-address', hits: 300, windowMs: 900_000 };
const strong: Refusal = { code: 200, en: 'the password is strong enough', zh: '密码强度符合要求' };

/** Public queries. */
export const lookupResolvers = {
  /** Whether an account has one of these names; null where none was given. Where users are hidden, every name has one. */
  async isUserExists(
    _parent,
    { username, email, phone, externalId }: Names,
    { provider: { users, limits, settings }, caller },
  ) {
    const waitMs = await limits.hit(rule, caller.address);
    if (waitMs > 0) throw new ProviderError(refusals.tooManyRequests, { waitMs });
    const isAsked = Boolean(email || username || phone || externalId);
    if (settings.hideUsers) return isAsked ? true : null;
    if (email) return (await users.findBy('email', email)) !== undefined;
    if (username) return (await users.findBy('username', username)) !== undefined;
    if (phone) return isKnownPhone(users, phone);
    if (externalId) return (await users.findBy('externalId', externalId)) !== undefined;
    return null;
  },
  /** The password comes in clear: it is a question, and not kept. */
  async checkPasswordStrength(_parent, { password }: { password: string }, { provider, caller }) {
    const refusal = await provider.passwords.check(password);
    return {
      valid: refusal === undefined,
      message: wordsOf(refusal ?? strong, caller.language),
    };
  },
} satisfies Resolvers;

/** The question has no country in it: the number is looked for in that of the settings, then in every other. */
async function isKnownPhone(users: Users, phone: string): Promise<boolean> {
  const { phoneE164, phone: national } = users.readPhone(phone);
  const found = await users.findBy('phone', phoneE164);
  return found !== undefined || (await users.findBy('nationalPhone', national)) !== undefined;
}
