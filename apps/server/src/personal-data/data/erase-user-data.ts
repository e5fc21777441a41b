import { and, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../platform/database/database.ts';
import type { NameColumn, NamesInJson, UserTables } from '../tables-of-users.ts';

/** A user, with the names by which rows can refer to them. */
export interface NamedUser {
  readonly id: string;
  /** Current and former username, name, email address, and phone number, except those that another user has, too. */
  readonly names: readonly string[];
  readonly pseudonym: string;
}

/** Erases a user from the tables of a slice. @returns the numbers of changed and deleted rows */
export async function eraseUserTables(
  tx: Transaction,
  tables: UserTables,
  user: NamedUser,
): Promise<{ readonly changed: number; readonly deleted: number }> {
  let [changed, deleted] = [0, 0];
  for (const { table, id } of tables.own ?? []) {
    const { rowCount } = await tx.delete(table).where(isUserId(id, user.id));
    deleted += rowCount ?? 0;
  }
  for (const column of tables.names ?? []) changed += await eraseName(tx, column, user);
  for (const column of tables.json ?? []) changed += await eraseInJson(tx, column, user);
  return { changed, deleted };
}

/** By ID; by name for rows without one. */
function namesUser({ id, name }: NameColumn, user: NamedUser): SQL {
  const byName = inArray(name, [...user.names]);
  if (id === undefined) return byName;
  return sql`(${isUserId(id, user.id)} or (${isNull(id)} and ${byName}))`;
}

/** IDs are stored as `uuid` or as `text`. */
const isUserId = (column: PgColumn, id: string): SQL =>
  column.getSQLType() === 'uuid' ? eq(column, id) : sql`${column}::text = ${id}`;

async function eraseName(tx: Transaction, column: NameColumn, user: NamedUser): Promise<number> {
  const { table, name, also = [] } = column;
  const emptied = also.map((each) => setTo(each, each.notNull ? sql`''` : sql`null`));
  const { rowCount } = await tx.execute(sql`
    update ${table} set ${sql.join([setTo(name, sql`${user.pseudonym}`), ...emptied], sql`, `)}
    where ${and(namesUser(column, user), sql`${name} is not null and ${name} <> ${user.pseudonym}`)}`);
  return rowCount ?? 0;
}

const setTo = (column: PgColumn, value: SQL): SQL => sql`${sql.identifier(column.name)} = ${value}`;

/** JSON fields with the name of an actor; in rows of the user, also those with contact data. */
const fieldsOfAll = ['by', 'username', 'author', 'sourceIdentity', 'from', 'actor', 'operator'];
const fieldsOfOwn = [...fieldsOfAll, 'name', 'email', 'phone'];

async function eraseInJson(
  tx: Transaction,
  { table, json, id }: NamesInJson,
  user: NamedUser,
): Promise<number> {
  if (user.names.length === 0) return 0;
  const fields = id === undefined ? fieldsOfAll : fieldsOfOwn;
  const values = user.names.map((name) => escaped(JSON.stringify(name).slice(1, -1)));
  const pattern = `"(${fields.join('|')})": ?"(?:${values.join('|')})"`;
  const text = sql`${json}::text`;
  const replaced = sql`regexp_replace(${text}, ${pattern}, ${`"\\1": "${user.pseudonym}"`}, 'g')`;
  const { rowCount } = await tx.execute(sql`
    update ${table} set ${setTo(json, sql`(${replaced})::${sql.raw(json.getSQLType())}`)}
    where ${and(id === undefined ? sql`true` : isUserId(id, user.id), sql`${text} ~ ${pattern}`)}`);
  return rowCount ?? 0;
}

/** Escapes a text for a PostgreSQL regular expression. */
const escaped = (text: string): string => text.replaceAll(/[^\p{L}\p{N} ]/gu, '\\$&');

/** The rows of a table that refer to a user. */
export interface UserRows {
  readonly table: PgTable;
  readonly where: SQL;
}

/** The rows that a user's record contains, grouped by table. */
export function userRowsOf(tables: UserTables, user: Pick<NamedUser, 'id'>): UserRows[] {
  const found: UserRows[] = [
    ...(tables.own ?? []).map(({ table, id }) => ({ table, where: isUserId(id, user.id) })),
    // Rows without a user ID can belong to another user with the same name, so they are not exported.
    ...(tables.names ?? []).flatMap(({ table, id }) =>
      id === undefined ? [] : [{ table, where: isUserId(id, user.id) }],
    ),
  ];
  return [...Map.groupBy(found, ({ table }) => table)].map(([table, parts]) => ({
    table,
    where: or(...parts.map(({ where }) => where)) ?? sql`false`,
  }));
}
