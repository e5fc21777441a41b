import { sql, type SQL } from 'drizzle-orm';
import type { Database } from './database/database.ts';

/** One kind of rows that end: which table, which are old. */
export interface Retention {
  readonly table: string;
  /** Condition on the table's rows that makes them go. */
  readonly ended: SQL;
}

const ROWS_AT_ONCE = 10_000;

/** Deletes what has ended, in pieces, so that no statement holds many rows for long. Answers how many went. */
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
  /** Column that says whose rows they are. */
  readonly owner: string;
  /** Rows of one owner. */
  readonly most: number;
}

export interface CrowdedOwner {
  readonly owner: string;
  /** Id of the newest row that is too many. */
  readonly upTo: string;
}

/** Who has more rows than the most. */
export async function findCrowded(
  database: Pick<Database, 'orm'>,
  { table, owner, most }: Crowding,
): Promise<CrowdedOwner[]> {
  const [name, column] = [sql.identifier(table), sql.identifier(owner)];
  const { rows } = await database.orm.execute<CrowdedOwner & Record<string, unknown>>(sql`
    select crowded.owner, (select id from ${name} where ${column} = crowded.owner
      order by id desc offset ${most} limit 1) as "upTo"
    from (select ${column} as owner from ${name} group by ${column} having count(*) > ${most}) crowded`);
  return rows;
}
