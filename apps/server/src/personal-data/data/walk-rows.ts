import { and, sql, type SQL } from 'drizzle-orm';
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../platform/database/database.ts';
import type { RowWalk } from '../tables-of-users.ts';

/** The last visited row: the values of its `along` columns as text. */
export type WalkPosition = readonly string[];

export interface WalkedRows {
  readonly visited: number;
  /** Changed or deleted rows. */
  readonly touched: number;
  /** Where the next batch begins; null at the end. */
  readonly next: WalkPosition | null;
}

/**
 * Changes or deletes the matching rows among the next ones of a walk. The limit is for visited rows, so that a statement
 * takes equally long whether many or few of them match.
 */
export async function walkRows(
  tx: Transaction,
  walk: RowWalk,
  { after, limit }: { readonly after: WalkPosition | null; readonly limit: number },
): Promise<WalkedRows> {
  const along = walk.along ?? primaryKeyOf(walk);
  const from = and(
    walk.scope,
    after === null ? undefined : sql`${rowOf(along)} > ${textsOf(along, after)}`,
  );
  const next = await findLast(tx, { ...walk, along }, { from, limit });
  const range = and(
    from,
    next === null ? undefined : sql`${rowOf(along)} <= ${textsOf(along, next)}`,
  );
  const where = and(range, walk.matches);
  const { rowCount } = await tx.execute(
    walk.set === undefined
      ? sql`delete from ${walk.table} where ${where}`
      : sql`update ${walk.table} set ${assignments(walk.set)} where ${where}`,
  );
  const touched = rowCount ?? 0;
  return { visited: next === null ? touched : limit, touched, next };
}

/** The last of the next rows; null if there are not that many. */
async function findLast(
  tx: Transaction,
  { table, along }: RowWalk & { readonly along: readonly PgColumn[] },
  { from, limit }: { readonly from: SQL | undefined; readonly limit: number },
): Promise<WalkPosition | null> {
  const columns = sql.join([...along], sql`, `);
  const texts = sql.join(
    along.map((column) => sql`${column}::text`),
    sql`, `,
  );
  const { rows } = await tx.execute<{ position: string[] }>(sql`
    select array[${texts}] as position from ${table} where ${from ?? sql`true`}
    order by ${columns} offset ${limit - 1} limit 1`);
  return rows[0]?.position ?? null;
}

function primaryKeyOf({ table }: RowWalk): readonly PgColumn[] {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const found = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  if (found.length === 0) throw new Error(`table ${name} has no primary key`);
  return found;
}

const rowOf = (columns: readonly PgColumn[]): SQL => sql`(${sql.join([...columns], sql`, `)})`;

const textsOf = (columns: readonly PgColumn[], texts: WalkPosition): SQL =>
  sql`(${sql.join(
    columns.map((column, index) => sql`${texts[index]}::text::${sql.raw(column.getSQLType())}`),
    sql`, `,
  )})`;

const assignments = (set: NonNullable<RowWalk['set']>): SQL =>
  sql.join(
    set.map(([column, value]) => sql`${sql.identifier(column.name)} = ${value}`),
    sql`, `,
  );
