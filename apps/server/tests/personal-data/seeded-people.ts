import { newId } from '@deviceportal/contract/ids';
import { findUserToErase } from '../../src/access/data/erase-user-queries.ts';
import { findPersonToErase } from '../../src/people/data/erase-person-queries.ts';
import { recordAudit } from '../../src/audit-trail/record-audit.ts';
import { eraseWhole } from '../../src/personal-data/erase/erase-whole.ts';
import { personalKeysOf } from '../../src/personal-data/keys/personal-keys-of.ts';
import { inTransaction, type Database } from '../../src/platform/database/database.ts';

export interface SeededUser {
  readonly id: string;
  readonly username: string;
}

/** A user on record who has left. */
export async function seedUser({ pool }: Database, username: string): Promise<SeededUser> {
  const id = newId();
  await pool.query(
    `insert into portal_user (id, subject, username, email, name, status)
     values ($1, $2, $3, $3, $4, 'Archived')`,
    [id, id, username, `Name of ${username}`],
  );
  return { id, username };
}

export async function seedCustomer({ pool }: Database, username: string): Promise<SeededUser> {
  const id = newId();
  await pool.query(`insert into person (id, username, name, email) values ($1, $2, $3, $4)`, [
    id,
    username,
    `Name of ${username}`,
    `${username}@customer.example`,
  ]);
  return { id, username };
}

/** Something that a user did, from an address. */
export async function act(
  database: Database,
  { id, username }: SeededUser,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await inTransaction(database, (tx) =>
    recordAudit(tx, [
      {
        type: 'device.updated',
        actor: { kind: 'user', id, name: username, address: '192.0.2.77' },
        data,
      },
    ]),
  );
}

/** Erases a user or a customer, without asking who may. */
export async function eraseNow(database: Database, { id }: SeededUser): Promise<void> {
  const { people } = await inTransaction(database, async (tx) => {
    const user = await findUserToErase(tx, id);
    const customer = await findPersonToErase(tx, id);
    return eraseWhole(tx, { user, customers: customer === undefined ? [] : [customer] });
  });
  personalKeysOf(database.orm).drop(people);
}
