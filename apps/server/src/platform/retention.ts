import { sql, type SQL } from 'drizzle-orm';
import type { Database } from './database/database.ts';
import { selectList, selectRows } from './database/select-rows.ts';

/** A retention rule: the table, and which rows to delete. */
export interface Retention {
  readonly table: string;
  /** Condition of the rows to delete. */
  readonly ended: SQL;
}

const ROWS_AT_ONCE = 10_000;

/**
 * Deletes expired rows in batches, so that no statement locks many rows for long. Returns the
 * number of deleted rows.
 */
export async function deleteEnded(
  database: Pick<Database, 'orm'>,
  { table, ended }: Retention,
): Promise<number> {
  const name = sql.identifier(table);
  let total = 0;
  for (;;) {
    const { rowCount } = await database.orm.execute(sql`
      delete from ${name} where ctid = any (array(select ctid from ${name} where ${ended} limit ${ROWS_AT_ONCE}))`);
    total += rowCount ?? 0;
    if ((rowCount ?? 0) < ROWS_AT_ONCE) return total;
  }
}

export interface Crowding {
  readonly table: string;
  /** Column of the rows' owner. */
  readonly owner: string;
  /** Maximum number of rows per owner. */
  readonly most: number;
}

export interface CrowdedOwner {
  readonly owner: string;
  /** ID of the newest row to delete. */
  readonly upTo: string;
}

/** Owners with more rows than the maximum. */
export async function findCrowded(
  database: Pick<Database, 'orm'>,
  { table, owner, most }: Crowding,
): Promise<CrowdedOwner[]> {
  const [name, column] = [sql.identifier(table), sql.identifier(owner)];
  const crowded = selectList({
    owner: sql<string>`crowded.owner`,
    upTo: sql<string>`(
      select id from ${name} where ${column} = crowded.owner order by id desc offset ${most} limit 1)`,
  });
  return selectRows(
    database.orm,
    crowded,
    (list) => sql`
    select ${list} from (select ${column} as owner from ${name} group by ${column} having count(*) > ${most}) crowded`,
  );
}
