import type pg from 'pg';
import {
  transactionOn,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';

/** A consistent snapshot of the database for the duration of an export. */
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
    // The transaction is read-only: close the connection instead of ending it.
    this.#client?.release(true);
  }
}
