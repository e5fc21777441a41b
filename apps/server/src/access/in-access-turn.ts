import { lockAccessTurn } from './data/access-turn-lock.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';

const turns = new WeakMap<object, Promise<unknown>>();

/**
 * One change of who may do what at a time, on all servers: what it has looked at still holds when it is written. On one
 * server they queue before they take a connection, for the user pool needs another one meanwhile.
 */
export function inAccessTurn<Result>(
  database: Pick<Database, 'orm'>,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const take = (): Promise<Result> =>
    inTransaction(database, async (tx) => {
      await lockAccessTurn(tx);
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
