import { sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from './database.ts';

/** The planner's estimate of the rows of a query, without running it. */
export async function estimateRows(on: Executor, query: SQL): Promise<number> {
  const { rows } = await on.execute(sql`explain (format json) ${query}`);
  const [{ 'QUERY PLAN': plan }] = explainedSchema.parse(rows);
  return plan[0].Plan['Plan Rows'];
}

/** The same for each of several queries, with one statement: the plan of each is a subplan. */
export async function estimateRowsOfEach(on: Executor, queries: readonly SQL[]): Promise<number[]> {
  if (queries.length === 0) return [];
  const arrays = queries.map((query) => sql`array(${query})`);
  const { rows } = await on.execute(sql`explain (format json) select ${sql.join(arrays, sql`, `)}`);
  const [{ 'QUERY PLAN': plan }] = explainedSchema.parse(rows);
  return (plan[0].Plan.Plans ?? []).map((each) => each['Plan Rows']);
}

const planRows = z.object({ 'Plan Rows': z.number() });

/** The row of `explain (format json)`. */
const explainedSchema = z.tuple([
  z.object({
    'QUERY PLAN': z.tuple([
      z.object({ Plan: planRows.extend({ Plans: z.array(planRows).optional() }) }),
    ]),
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
