import { hash } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Executor } from './database.ts';

/** The planner's estimate of the rows of a query, without running it. */
export async function estimateRows(on: Executor, query: SQL): Promise<number> {
  const { rows } = await on.execute(sql`explain (format json) ${query}`);
  const [{ 'QUERY PLAN': plan }] = explainedSchema.parse(rows);
  return plan[0].Plan['Plan Rows'];
}

/** Statistics of the planner are seldom updated more often. */
const KEPT_MS = 10_000;
const MOST_KEPT = 2_000;

/** The estimates of each pool, by query or table. */
const estimates = new WeakMap<Executor, LRUCache<string, number>>();

function keptFor(on: Executor): LRUCache<string, number> {
  const kept = estimates.get(on) ?? new LRUCache({ max: MOST_KEPT, ttl: KEPT_MS });
  estimates.set(on, kept);
  return kept;
}

const dialect = new PgDialect();

/** A hash, because a filter with many values makes a long statement. */
function keyOf(query: SQL): string {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return hash('sha256', JSON.stringify([text, params]), 'base64');
}

/**
 * The same for each of several queries that are often estimated again: an estimate is kept for some seconds. The others are
 * made with one statement, in which the plan of each is a subplan.
 */
export async function estimateRowsOfEach(on: Executor, queries: readonly SQL[]): Promise<number[]> {
  const kept = keptFor(on);
  const asked = queries.map((query) => ({ query, key: keyOf(query) }));
  const known = new Map(asked.map(({ key }) => [key, kept.get(key)]));
  const unknown = asked.filter(({ key }) => known.get(key) === undefined);
  const rows = await explainEach(
    on,
    unknown.map(({ query }) => query),
  );
  for (const [at, { key }] of unknown.entries()) {
    known.set(key, rows[at]);
    kept.set(key, rows[at]);
  }
  return asked.map(({ key }) => known.get(key) ?? Infinity);
}

async function explainEach(on: Executor, queries: readonly SQL[]): Promise<number[]> {
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

/** The planner's estimate of the rows of a table, kept for some seconds. */
export async function estimateTable(on: Executor, table: string): Promise<number> {
  const kept = keptFor(on);
  const known = kept.get(table);
  if (known !== undefined) return known;
  const [found] = await on
    .select({ rows: sql<number>`reltuples::float8` })
    .from(sql`pg_class`)
    .where(sql`oid = ${table}::regclass`);
  const rows = found?.rows ?? 0;
  kept.set(table, rows);
  return rows;
}
