import { sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from './database.ts';

/** The planner's estimate of the rows of a query, without running it. */
export async function estimateRows(on: Executor, query: SQL): Promise<number> {
  const { rows } = await on.execute(sql`explain (format json) ${query}`);
  const [{ 'QUERY PLAN': plan }] = explainedSchema.parse(rows);
  return plan[0].Plan['Plan Rows'];
}

/** The row of `explain (format json)`. */
const explainedSchema = z.tuple([
  z.object({
    'QUERY PLAN': z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]),
  }),
]);

/**
 * A `tablesample` clause that reads about this many rows, spread over the table and the same each
 * time. Frequent values are found without a full scan.
 */
export async function sampleOf(on: Executor, table: string, rows: number): Promise<SQL> {
  const all = await estimateTable(on, table);
  const percent = all > rows ? (100 * rows) / all : 100;
  return sql`tablesample system (${percent}::float4) repeatable (1)`;
}

/** The planner's estimate of the rows of a table. */
export async function estimateTable(on: Executor, table: string): Promise<number> {
  const [found] = await on
    .select({ rows: sql<number>`reltuples::float8` })
    .from(sql`pg_class`)
    .where(sql`oid = ${table}::regclass`);
  return found?.rows ?? 0;
}
