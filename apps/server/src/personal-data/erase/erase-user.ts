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

/** How much of a person was taken out. */
export interface ErasureCounts {
  readonly changed: number;
  readonly deleted: number;
  readonly keys: number;
}

/** A user with everything by which rows may name them, and no other user. */
export async function namedUser(tx: Transaction, user: UserToErase): Promise<NamedUser> {
  const { id, username, name, email, phone } = user;
  const own = [username, name, email, phone].filter((text) => text !== null && text !== '');
  const names = [...new Set([...(own as string[]), ...(await findFormerNames(tx, id))])];
  const shared = new Set(await findSharedNames(tx, id, names));
  return { id, names: names.filter((each) => !shared.has(each)), pseudonym: pseudonymOf(id) };
}

/**
 * Takes a user out of everything that can be changed, and destroys the key of what cannot. Rows that say what was done
 * stay, under the pseudonym.
 * @param others whose keys are destroyed, too: what the user was called where no user was known
 */
export async function eraseUser(
  tx: Transaction,
  user: UserToErase,
  others: readonly string[] = [],
): Promise<ErasureCounts> {
  // Calls of the user are written beside their requests.
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
