import { sql, type SQL } from 'drizzle-orm';
import type { Executor } from './database.ts';

/** How many rows the planner expects of a query, by its statistics: counting would mean finding them. */
export async function estimateRows(on: Executor, query: SQL): Promise<number> {
  const answer = await on.execute<{ 'QUERY PLAN': string | PlanRow[] }>(
    sql`explain (format json) ${query}`,
  );
  const plan = answer.rows[0]?.['QUERY PLAN'];
  const rows = typeof plan === 'string' ? (JSON.parse(plan) as PlanRow[]) : plan;
  return rows?.[0]?.Plan['Plan Rows'] ?? 0;
}

interface PlanRow {
  readonly Plan: { readonly 'Plan Rows': number };
}

/**
 * `tablesample` that reads about so many rows, scattered over the whole table and the same ones each time: what many
 * rows have is found among them without a look at all.
 */
export async function sampleOf(on: Executor, table: string, rows: number): Promise<SQL> {
  const all = await estimateTable(on, table);
  const percent = all > rows ? (100 * rows) / all : 100;
  return sql`tablesample system (${percent}::float4) repeatable (1)`;
}

/** How many rows a table has, about: the planner's figure. */
export async function estimateTable(on: Executor, table: string): Promise<number> {
  const [found] = await on
    .select({ rows: sql<number>`reltuples::float8` })
    .from(sql`pg_class`)
    .where(sql`oid = ${table}::regclass`);
  return found?.rows ?? 0;
}
