import { and, asc, eq, gte, lt, lte, max, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { insertColumns } from '../../platform/database/insert-columns.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { invocationOutput } from './commands-tables.ts';

export type OutputRow = Readonly<typeof invocationOutput.$inferSelect>;

const { invocationId, stream, offset, text } = invocationOutput;

/** First pieces of both streams of invocations, up to a number of UTF-16 code units per stream. */
export async function findBeginnings(
  on: Executor,
  ids: readonly string[],
  limits: { readonly stdout: number; readonly stderr: number },
): Promise<OutputRow[]> {
  const limit = sql`case ${stream} when 'stdout' then ${limits.stdout}::int else ${limits.stderr}::int end`;
  return on
    .select({
      ...{ invocationId, stream, offset },
      text: sql<string>`left(${text}, (${limit} - ${offset})::int)`,
    })
    .from(invocationOutput)
    .where(and(isAnyOf(invocationId, ids), lt(offset, limit)))
    .orderBy(asc(invocationId), asc(stream), asc(offset));
}

/** Pieces of a stream, starting with the one that contains an offset. */
export async function findPieces(
  on: Executor,
  wanted: Pick<OutputRow, 'invocationId' | 'stream'> & {
    readonly from: number;
    readonly before: number;
  },
): Promise<Pick<OutputRow, 'offset' | 'text'>[]> {
  const first = alias(invocationOutput, 'first');
  const isOf = (table: typeof invocationOutput | typeof first): SQL | undefined =>
    and(eq(table.invocationId, wanted.invocationId), eq(table.stream, wanted.stream));
  const begin = on
    .select({ offset: max(first.offset) })
    .from(first)
    .where(and(isOf(first), lte(first.offset, wanted.from)));
  return on
    .select({ offset, text })
    .from(invocationOutput)
    .where(
      and(
        isOf(invocationOutput),
        lt(offset, wanted.before),
        gte(offset, sql`coalesce(${begin}, 0)`),
      ),
    )
    .orderBy(asc(offset));
}

const inserted = insertColumns(invocationOutput, ['invocationId', 'stream', 'offset', 'text']);

export async function insertOutput(tx: Transaction, pieces: readonly OutputRow[]): Promise<void> {
  if (pieces.length === 0) return;
  await tx.execute(sql`
    insert into ${invocationOutput} (${inserted.names})
    select ${inserted.values} from ${rowsOf(inserted.types, pieces)} as piece
    on conflict do nothing`);
}
