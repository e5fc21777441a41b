import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { newId } from '@deviceportal/contract/ids';
import { inTransaction, type Database } from '../platform/database/database.ts';
import { StartError } from '../platform/process/start-error.ts';
import type { UserDirectory } from './users/user-directory.ts';
import { findActivated, setInAdminGroup, upsertUser } from './data/user-queries.ts';
import { grantRole } from './data/user-role-queries.ts';

/** One user per built-in role, created at first start outside production (docs/design/decisions.md, section 9). */
const demoUsers = [
  { mailbox: 'admin', name: 'Ada Administrator', role: 'Administrator', groups: [ADMIN_GROUP] },
  { mailbox: 'operator', name: 'Olli Operator', role: 'Operator', groups: [] },
  { mailbox: 'support', name: 'Sam Support', role: 'Support', groups: [] },
  { mailbox: 'auditor', name: 'Audra Auditor', role: 'Auditor', groups: [] },
  { mailbox: 'viewer', name: 'Vic Viewer', role: 'Viewer', groups: [] },
] as const;

interface AccessPeopleDependencies {
  readonly database: Database;
  readonly directory: UserDirectory;
}

/** The same users as accounts of the identity provider, with roles named like their groups. */
export const demoAccounts = demoUsers.map(({ mailbox, name, role, groups }) => ({
  email: `${mailbox}@deviceportal.local`,
  name,
  roles: [role, ...groups],
}));

export async function createDemoUsers(dependencies: AccessPeopleDependencies): Promise<void> {
  for (const { mailbox, name, role, groups } of demoUsers) {
    await createPortalUser(dependencies, {
      email: `${mailbox}@deviceportal.local`,
      name,
      role,
      groups,
    });
  }
}

/**
 * Rejects demo users in production: their addresses are public, and their codes were shown in the outbox of the machine
 * that created them.
 * @throws StartError if production starts with data that were created outside production
 */
export async function rejectDemoUsers({
  database,
}: Pick<AccessPeopleDependencies, 'database'>): Promise<void> {
  const emails = demoUsers.map(({ mailbox }) => `${mailbox}@deviceportal.local`);
  const found = await findActivated(database.orm, emails);
  if (found === undefined) return;
  throw new StartError(
    `This data contains ${found} and other demo users of a start outside production. NODE_ENV=production requires new data.`,
  );
}

export interface NewPortalUser {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly groups: readonly string[];
}

/** Creates a user in the pool and in the portal, with one role. Idempotent. */
export async function createPortalUser(
  { database, directory }: AccessPeopleDependencies,
  user: NewPortalUser,
): Promise<string> {
  const facts = await directory.ensureUser({
    username: user.email,
    email: user.email,
    name: user.name,
    groups: user.groups,
  });
  return inTransaction(database, async (tx) => {
    const id = await upsertUser(tx, newId(), facts);
    await grantRole(tx, id, user.role);
    if (user.groups.includes(ADMIN_GROUP)) await setInAdminGroup(tx, id, true);
    return id;
  });
}
