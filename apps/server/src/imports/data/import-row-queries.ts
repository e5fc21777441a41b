import { and, asc, eq, inArray, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { ImportOutcome } from '@deviceportal/contract/imports';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { rowsFor } from '../../platform/database/rows-for.ts';
import { dataImportRow } from './imports-tables.ts';

export type StoredRow = typeof dataImportRow.$inferSelect;

/** Order in the preview. */
const ranks: Readonly<Record<ImportOutcome, number>> = {
  refused: 0,
  changed: 1,
  new: 2,
  unchanged: 3,
};
const UNCHECKED_RANK = 9;

const rankOf = (outcome: ImportOutcome | null): number =>
  outcome === null ? UNCHECKED_RANK : ranks[outcome];

/** Steps of an import, each with the rows that it has not processed yet. */
const pendingOf = {
  checking: isNull(dataImportRow.outcome),
  applying: and(
    eq(dataImportRow.state, 'waiting'),
    inArray(dataImportRow.outcome, ['new', 'changed']),
  ),
  undoing: eq(dataImportRow.state, 'applied'),
} satisfies Readonly<Record<string, SQL | undefined>>;
export type ImportStep = keyof typeof pendingOf;

export type NewRow = Pick<
  StoredRow,
  'id' | 'importId' | 'line' | 'outcome' | 'reason' | 'columnName' | 'sealed'
>;

export async function insertRows(tx: Transaction, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return;
  const given = alias(dataImportRow, 'given');
  const keys = [
    ...(['id', 'importId', 'line', 'outcome', 'rank', 'reason', 'columnName', 'sealed'] as const),
  ] as const;
  const ranked = rows.map((row) => ({ ...row, rank: rankOf(row.outcome) }));
  const columns = sql.join(
    keys.map((key) => sql.identifier(dataImportRow[key].name)),
    sql`, `,
  );
  const values = sql.join(
    keys.map((key) => sql`${given[key]}`),
    sql`, `,
  );
  await tx.execute(
    sql`insert into ${dataImportRow} (${columns}) select ${values} from ${rowsFor(given, keys, ranked)}`,
  );
}

/** The next rows of a step, in the order of the file. */
export async function nextRows(
  tx: Transaction,
  importId: string,
  { step, limit }: { readonly step: ImportStep; readonly limit: number },
): Promise<StoredRow[]> {
  return tx
    .select()
    .from(dataImportRow)
    .where(and(eq(dataImportRow.importId, importId), pendingOf[step]))
    .orderBy(asc(dataImportRow.line))
    .limit(limit);
}

export type WrittenRow = Pick<
  StoredRow,
  'id' | 'outcome' | 'state' | 'targetId' | 'reason' | 'columnName' | 'sealed'
>;

export async function updateRows(tx: Transaction, rows: readonly WrittenRow[]): Promise<void> {
  if (rows.length === 0) return;
  const given = alias(dataImportRow, 'given');
  const keys = [
    ...(['id', 'outcome', 'state', 'rank', 'targetId', 'reason', 'columnName', 'sealed'] as const),
  ] as const;
  await tx
    .update(dataImportRow)
    .set({
      outcome: sql`${given.outcome}`,
      state: sql`${given.state}`,
      rank: sql`${given.rank}`,
      targetId: sql`${given.targetId}`,
      reason: sql`${given.reason}`,
      columnName: sql`${given.columnName}`,
      sealed: sql`${given.sealed}`,
    })
    .from(
      rowsFor(
        given,
        keys,
        rows.map((row) => ({ ...row, rank: rankOf(row.outcome) })),
      ),
    )
    .where(eq(dataImportRow.id, given.id));
}

/** A page of rows: refused ones first, then by line. */
export async function selectRowsOfImport(
  on: Executor,
  importId: string,
  page: {
    readonly show: ImportOutcome | 'left' | null;
    readonly after: readonly [rank: number, line: number] | null;
    readonly limit: number;
  },
): Promise<StoredRow[]> {
  const { show, after, limit } = page;
  const { rank, line } = dataImportRow;
  const shown =
    show === 'left'
      ? eq(dataImportRow.state, 'left')
      : show === null
        ? isNotNull(dataImportRow.outcome)
        : eq(rank, rankOf(show));
  return on
    .select()
    .from(dataImportRow)
    .where(
      and(
        eq(dataImportRow.importId, importId),
        shown,
        after === null ? undefined : sql`(${rank}, ${line}) > (${after[0]}, ${after[1]})`,
      ),
    )
    .orderBy(asc(rank), asc(line))
    .limit(limit);
}

/** The devices that an import has added and not removed again. */
export async function findAddedTargets(on: Executor, importId: string): Promise<string[]> {
  const rows = await on
    .select({ id: dataImportRow.targetId })
    .from(dataImportRow)
    .where(
      and(
        eq(dataImportRow.importId, importId),
        eq(dataImportRow.outcome, 'new'),
        eq(dataImportRow.state, 'applied'),
      ),
    );
  return rows.flatMap(({ id }) => id ?? []);
}

export async function deleteRowsOf(on: Executor, importId: string): Promise<void> {
  await on.delete(dataImportRow).where(eq(dataImportRow.importId, importId));
}
