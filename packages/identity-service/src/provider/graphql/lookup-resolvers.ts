import type { Resolvers } from './graphql-call.ts';

interface Names {
  readonly username?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly externalId?: string | null;
}

/** Questions that anybody may ask. */
export const lookupResolvers = {
  async isUserExists(_parent, { username, email, phone, externalId }: Names, { provider }) {
    const { users } = provider;
    if (email) return (await users.findBy('email', email)) !== undefined;
    if (username) return (await users.findBy('username', username)) !== undefined;
    if (phone) return (await users.findBy('phone', users.readPhone(phone).phoneE164)) !== undefined;
    if (externalId) return (await users.findBy('externalId', externalId)) !== undefined;
    return null;
  },
} satisfies Resolvers;
