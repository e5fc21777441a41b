import type { Provider } from '@deviceportal/identity-service/provider';
import type { UserDirectory } from './access/user-directory.ts';

/**
 * The people of the provider at `/idp`, whose roles are groups here. They look after their accounts themselves, and
 * appear in the portal when they sign in.
 */
export function createProviderDirectory(provider: Provider): UserDirectory {
  const { users } = provider.context;
  return {
    async ensureUser({ email, name, groups }) {
      await provider.ensurePeople([{ email, name, roles: groups }]);
      const user = await users.findBy('email', email);
      if (user === undefined) throw new Error(`The provider has not kept ${email}.`);
      return {
        subject: user.id,
        username: user.username ?? email,
        email: user.email,
        phone: user.phoneE164,
        name: user.profile.name ?? name,
      };
    },
    groupsByUsername: () => provider.listRolesByUsername(),
  };
}
