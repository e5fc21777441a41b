import type { Provider } from '@deviceportal/identity/provider';
import type { ProviderUser } from '@deviceportal/identity/provider-user';
import { accountName } from '@deviceportal/identity/account-name';
import { originOf } from '../access/act-origin.ts';
import type { DirectoryAdministration, UserDirectory } from '../access/users/user-directory.ts';
import type { UserFacts } from '../access/data/user-queries.ts';
import { accountActs } from './account-acts.ts';

/**
 * The people of the provider at `/idp`, whose roles are groups here. Other programs have people there, too: whom nobody
 * invited appears in the portal when they sign in to it.
 */
export function createProviderDirectory(provider: Provider): UserDirectory {
  const { users } = provider.context;
  return {
    administration: createProviderAdministration(provider),
    async ensureUser({ email, name, groups }) {
      await provider.ensurePeople([{ email, name, roles: groups }]);
      const user = await users.findBy('email', email);
      if (user === undefined) throw new Error(`The provider has not kept ${email}.`);
      return factsOf(user);
    },
    groupsBySubject: () => provider.listRolesBySubject(),
  };
}

function createProviderAdministration({ accounts, people }: Provider): DirectoryAdministration {
  return {
    ...accountActs(accounts),
    async createUser({ username, email, phoneNumber, name }, caller) {
      // An address or number is no user name there: it may change.
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

/** As the portal keeps them, by the same name that their tokens have. */
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
