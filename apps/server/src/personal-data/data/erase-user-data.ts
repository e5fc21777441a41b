import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../platform/database/database.ts';
import type { NameColumn, NamesInJson, UserTables } from '../tables-of-users.ts';

/** A user as rows may name them. */
export interface NamedUser {
  readonly id: string;
  /** Username, name, email and phone number. */
  readonly names: readonly string[];
  readonly pseudonym: string;
}

/** Takes a user out of the tables of a noun; answers how many rows were changed and deleted. */
export async function eraseUserTables(
  tx: Transaction,
  tables: UserTables,
  user: NamedUser,
): Promise<{ readonly changed: number; readonly deleted: number }> {
  let [changed, deleted] = [0, 0];
  for (const { table, id } of tables.own ?? []) {
    const { rowCount } = await tx.delete(table).where(isUser(id, user.id));
    deleted += rowCount ?? 0;
  }
  for (const column of tables.names ?? []) changed += await eraseName(tx, column, user);
  for (const column of tables.json ?? []) changed += await eraseInJson(tx, column, user);
  return { changed, deleted };
}

/** Ids are kept as uuid or as text. */
const isUser = (column: PgColumn, id: string): SQL => sql`${column}::text = ${id}`;

function namesUser({ id, name }: NameColumn, user: NamedUser): SQL {
  const byName = inArray(name, [...user.names]);
  return id === undefined ? byName : isUserId(id, user.id);
}

const isUserId = (column: PgColumn, id: string): SQL =>
  column.getSQLType() === 'uuid' ? eq(column, id) : isUser(column, id);

async function eraseName(tx: Transaction, column: NameColumn, user: NamedUser): Promise<number> {
  const { table, name, also = [] } = column;
  const emptied = also.map((each) => setTo(each, each.notNull ? sql`''` : sql`null`));
  const { rowCount } = await tx.execute(sql`
    update ${table} set ${sql.join([setTo(name, sql`${user.pseudonym}`), ...emptied], sql`, `)}
    where ${and(namesUser(column, user), sql`${name} is not null and ${name} <> ${user.pseudonym}`)}`);
  return rowCount ?? 0;
}

const setTo = (column: PgColumn, value: SQL): SQL => sql`${sql.identifier(column.name)} = ${value}`;

async function eraseInJson(
  tx: Transaction,
  { table, json, id }: NamesInJson,
  user: NamedUser,
): Promise<number> {
  const quoted = user.names.map((name) => JSON.stringify(name));
  if (quoted.length === 0) return 0;
  const text = sql`${json}::text`;
  const replaced = quoted.reduce(
    (before, name) => sql`replace(${before}, ${name}, ${JSON.stringify(user.pseudonym)})`,
    text,
  );
  const holds = or(...quoted.map((name) => sql`strpos(${text}, ${name}) > 0`));
  const { rowCount } = await tx.execute(sql`
    update ${table} set ${setTo(json, sql`(${replaced})::${sql.raw(json.getSQLType())}`)}
    where ${and(id === undefined ? sql`true` : isUserId(id, user.id), holds)}`);
  return rowCount ?? 0;
}

/** The rows of a table in which a user stands. */
export interface UserRows {
  readonly table: PgTable;
  readonly where: SQL;
}

/** Where the rows are that a user's record is made of: each table once. */
export function userRowsOf(tables: UserTables, user: NamedUser): UserRows[] {
  const found: UserRows[] = [
    ...(tables.own ?? []).map(({ table, id }) => ({ table, where: isUserId(id, user.id) })),
    ...(tables.names ?? []).map((column) => ({
      table: column.table,
      where: namesUser(column, user),
    })),
  ];
  return [...Map.groupBy(found, ({ table }) => table)].map(([table, parts]) => ({
    table,
    where: or(...parts.map(({ where }) => where)) ?? sql`false`,
  }));
}
