import { eraseAccount } from '@deviceportal/identity/erase-account';
import {
  eraseUserRow,
  findFormerNames,
  findSharedNames,
  type UserToErase,
} from '../../access/data/erase-user-queries.ts';
import { eraseSignedSteps } from '../../air-blast/data/erase-signed-steps.ts';
import { eraseSignedNames } from '../../commands/data/erase-signed-names.ts';
import { eraseMessages } from '../../messages/data/erase-messages.ts';
import { eraseOutbox } from '../../outbox/data/erase-outbox.ts';
import { holdUntilCommit } from '../../platform/database/advisory-lock.ts';
import { clientOf, type Transaction } from '../../platform/database/database.ts';
import { eraseUserTables, type NamedUser } from '../data/erase-user-data.ts';
import { destroyKeys } from '../data/person-key-queries.ts';
import { pseudonymOf } from '../keys/pseudonym-of.ts';
import { nounsWithUsers } from '../nouns-with-users.ts';

/** Numbers of changed and deleted rows, and of destroyed keys. */
export interface ErasureCounts {
  readonly changed: number;
  readonly deleted: number;
  readonly keys: number;
}

/** A user, with all names by which rows can refer to this user and to no other. */
export async function namedUser(tx: Transaction, user: UserToErase): Promise<NamedUser> {
  const { id, username, name, email, phone } = user;
  const own = [username, name, email, phone].filter((text) => text !== null && text !== '');
  const names = [...new Set([...(own as string[]), ...(await findFormerNames(tx, id))])];
  const shared = new Set(await findSharedNames(tx, id, names));
  return { id, names: names.filter((each) => !shared.has(each)), pseudonym: pseudonymOf(id) };
}

/**
 * Erases a user from all data that can be changed, and destroys the key of the data that cannot. Records of actions are
 * kept under the pseudonym.
 * @param others further owners of keys to destroy: names of the user in records without a user ID
 */
export async function eraseUser(
  tx: Transaction,
  user: UserToErase,
  others: readonly string[] = [],
): Promise<ErasureCounts> {
  // API calls are recorded outside the transactions of their requests; wait for them.
  await holdUntilCommit(tx, 'user-erasure');
  const named = await namedUser(tx, user);
  const keys = await destroyKeys(tx, [user.id, ...others]);
  let [changed, deleted] = [0, 0];
  for (const tables of Object.values(nounsWithUsers)) {
    const done = await eraseUserTables(tx, tables, named);
    changed += done.changed;
    deleted += done.deleted;
  }
  await eraseSignedNames(tx, user.id, named.names);
  await eraseSignedSteps(tx, user.id);
  deleted += await eraseMessages(tx, user.subject);
  deleted += await eraseOutbox(tx, named.names);
  await eraseAccount(clientOf(tx), user.subject, named.names);
  await eraseUserRow(tx, user.id, named.pseudonym);
  return { changed: changed + 1, deleted, keys: keys.length };
}
