import { eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import type { NameColumn, NamesInJson, OwnRows, RowWalk, UserTables } from '../tables-of-users.ts';

/** A user, with the names by which rows can refer to them. */
export interface NamedUser {
  readonly id: string;
  /** Current and former username, name, email address, and phone number, except those that another user has, too. */
  readonly names: readonly string[];
  readonly pseudonym: string;
}

/** A walk over one column or table, named so that an interrupted erasure finds it again. */
export interface NamedWalk {
  readonly key: string;
  readonly walk: RowWalk;
}

/** The walks that erase a user from the tables of a slice. */
export function userWalks(tables: UserTables, user: NamedUser): NamedWalk[] {
  const { own = [], names = [], json = [] } = tables;
  return [
    ...own.map((rows) => ({ key: keyOf('own', rows.id), walk: ownWalk(rows, user) })),
    ...names.flatMap((column) => nameWalks(column, user)),
    ...json.map((column) => ({ key: keyOf('json', column.json), walk: jsonWalk(column, user) })),
  ];
}

const keyOf = (kind: string, column: PgColumn): string =>
  `${getTableConfig(column.table).name}.${column.name}.${kind}`;

/** IDs are stored as `uuid` or as `text`. */
const isUserId = (column: PgColumn, id: string): SQL =>
  column.getSQLType() === 'uuid' ? eq(column, id) : sql`${column}::text = ${id}`;

function ownWalk({ table, id, along }: OwnRows, user: NamedUser): RowWalk {
  const isOwn = isUserId(id, user.id);
  // A primary key that begins with the user is an index for the rows of the user.
  const isFirst = getTableConfig(table).primaryKeys[0]?.columns[0] === id;
  return {
    ...{ table, matches: isOwn },
    ...(along !== undefined && { along }),
    ...((isFirst || along !== undefined) && { scope: isOwn }),
  };
}

/** By ID; by name for rows without one. */
function nameWalks(column: NameColumn, user: NamedUser): NamedWalk[] {
  const { table, name, id, also = [], along } = column;
  const set: RowWalk['set'] = [
    [name, sql`${user.pseudonym}`],
    ...also.map((each) => [each, each.notNull ? sql`''` : sql`null`] as const),
  ];
  const isNamed = sql`${name} is not null and ${name} <> ${user.pseudonym}`;
  const key = keyOf('name', name);
  const byName = inArray(name, [...user.names]);
  const walk = (matches: SQL): RowWalk => ({ table, set, matches: sql`${matches} and ${isNamed}` });
  if (id === undefined) return user.names.length === 0 ? [] : [{ key, walk: walk(byName) }];
  const isUser = isUserId(id, user.id);
  if (along === undefined) {
    const isNameless = user.names.length === 0 ? sql`false` : sql`(${isNull(id)} and ${byName})`;
    return [{ key, walk: walk(sql`(${isUser} or ${isNameless})`) }];
  }
  const scoped: NamedWalk = { key, walk: { ...walk(sql`true`), along, scope: isUser } };
  if (id.notNull || user.names.length === 0) return [scoped];
  return [
    scoped,
    { key: `${key}-without-id`, walk: { ...walk(byName), along, scope: isNull(id) } },
  ];
}

/** JSON fields with the name of an actor; in rows of the user, also those with contact data. */
const fieldsOfAll = ['by', 'username', 'author', 'sourceIdentity', 'from', 'actor', 'operator'];
const fieldsOfOwn = [...fieldsOfAll, 'name', 'email', 'phone'];

function jsonWalk({ table, json, id }: NamesInJson, user: NamedUser): RowWalk {
  const fields = id === undefined ? fieldsOfAll : fieldsOfOwn;
  const values = user.names.map((name) => escaped(JSON.stringify(name).slice(1, -1)));
  const pattern = `"(${fields.join('|')})": ?"(?:${values.join('|')})"`;
  const text = sql`${json}::text`;
  const replaced = sql`regexp_replace(${text}, ${pattern}, ${`"\\1": "${user.pseudonym}"`}, 'g')`;
  const isNamed = values.length === 0 ? sql`false` : sql`${text} ~ ${pattern}`;
  return {
    table,
    matches: id === undefined ? isNamed : sql`${isUserId(id, user.id)} and ${isNamed}`,
    set: [[json, sql`(${replaced})::${sql.raw(json.getSQLType())}`]],
  };
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
