import { lockAccessChanges } from './data/access-change-lock.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';

const turns = new WeakMap<object, Promise<unknown>>();

/**
 * Serializes changes of access on all servers, so that what a change has read still applies when it writes. Changes on
 * one server queue before they take a connection, because the user pool needs another connection during the change.
 */
export function serializeAccessChange<Result>(
  database: Pick<Database, 'orm'>,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const take = (): Promise<Result> =>
    inTransaction(database, async (tx) => {
      await lockAccessChanges(tx);
      return work(tx);
    });
  const before = turns.get(database.orm) ?? Promise.resolve();
  const turn = before.then(take, take);
  turns.set(
    database.orm,
    turn.catch(() => {}),
  );
  return turn;
}
