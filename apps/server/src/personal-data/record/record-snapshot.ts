import type pg from 'pg';
import {
  transactionOn,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';

/** One moment of the database, read for as long as a record is written. */
export class RecordSnapshot implements AsyncDisposable {
  readonly #database: Pick<Database, 'pool'>;
  #client: pg.PoolClient | undefined;

  constructor(database: Pick<Database, 'pool'>) {
    this.#database = database;
  }

  async begin(): Promise<Transaction> {
    const client = await this.#database.pool.connect();
    this.#client = client;
    await client.query('begin transaction isolation level repeatable read read only');
    return transactionOn(client);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing was written; a connection in the middle of a transaction is closed.
    this.#client?.release(true);
  }
}
