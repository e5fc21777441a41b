import type { Provider } from '@deviceportal/identity/provider';
import type { ProviderUser } from '@deviceportal/identity/provider-user';
import { accountName } from '@deviceportal/identity/account-name';
import { originOf } from '../access/act-origin.ts';
import type { DirectoryAdministration, UserDirectory } from '../access/users/user-directory.ts';
import type { UserFacts } from '../access/data/user-queries.ts';
import { accountActs } from './account-acts.ts';

/**
 * The users of the provider at `/idp`, whose roles are groups here. Other applications also have
 * users there. Users who were not invited appear in the portal when they first sign in to it.
 */
export function createProviderDirectory(provider: Provider): UserDirectory {
  const { users } = provider.context;
  return {
    administration: createProviderAdministration(provider),
    async ensureUser({ email, name, groups }) {
      await provider.ensurePeople([{ email, name, roles: groups }]);
      const user = await users.findBy('email', email);
      if (user === undefined) throw new Error(`The provider did not store ${email}.`);
      return factsOf(user);
    },
    groupsBySubject: () => provider.listRolesBySubject(),
  };
}

function createProviderAdministration({ accounts, people }: Provider): DirectoryAdministration {
  return {
    ...accountActs(accounts),
    async createUser({ username, email, phoneNumber, name }, caller) {
      // A username that is the email address or phone number is not stored, because it can change.
      const isName = username !== email && username !== phoneNumber;
      const person = await people.createPerson(
        {
          ...(isName && { username }),
          ...(email !== undefined && { email }),
          ...(phoneNumber !== undefined && { phoneNumber }),
          ...(name !== undefined && { name }),
        },
        originOf(caller),
      );
      return factsOf(person);
    },
    async findUser(identifier) {
      const person = await people.findPerson(identifier);
      return person && factsOf(person);
    },
    changeProfile: async (subject, profile, caller) =>
      factsOf(await people.changePerson(subject, profile, originOf(caller))),
    roster: {
      kind: 'known',
      find: async (subjects) =>
        (await people.findPeople(subjects)).map((person) => ({
          ...factsOf(person),
          enabled: isEnabled(person),
        })),
    },
    async isEnabled(subject) {
      const [person] = await people.findPeople([subject]);
      return person !== undefined && isEnabled(person);
    },
    setStatus: (subject, status, caller) => people.setStatus(subject, status, originOf(caller)),
  };
}

/** The user in the portal's format, with the same name as in tokens. */
function factsOf(user: ProviderUser): UserFacts {
  const username = accountName(user);
  return {
    subject: user.id,
    username,
    email: user.email,
    phone: user.phoneE164,
    name: user.profile.name ?? username,
  };
}

function isEnabled({ status, blocked }: ProviderUser): boolean {
  return status === 'Activated' && !blocked;
}
