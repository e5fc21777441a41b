import { newId } from '@deviceportal/contract/ids';
import { inTransaction } from '../database/in-transaction.ts';
import type { ProviderContext } from './provider-context.ts';
import { addRoleMember, ensureRole } from '../roles/role-store.ts';

/** A user created at the first start. */
export interface FirstPerson {
  readonly email: string;
  readonly name: string;
  /** Role codes of the namespace `default`; a role that is missing is made. */
  readonly roles: readonly string[];
}

/** Makes accounts with a verified address and without a password. Asking twice changes nothing. */
export async function ensurePeople(
  { db, clock, settings, users }: ProviderContext,
  people: readonly FirstPerson[],
): Promise<void> {
  const at = new Date(clock.now());
  const { userPoolId } = settings;
  for (const { email, name, roles } of people) {
    if ((await users.findBy('email', email)) !== undefined) continue;
    await inTransaction(db, async (client) => {
      const person = {
        email,
        emailVerified: true,
        username: email,
        registerSource: ['import:first-start'],
        profile: { name, nickname: name },
      };
      const user = await users.create(person, client);
      for (const code of roles) {
        const role = { id: newId(), userPoolId, namespace: 'default', code };
        const roleId = await ensureRole(client, role, at);
        await addRoleMember(client, { roleId, userId: user.id }, at);
      }
    });
  }
}
