import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Database, Orm } from '../database/database.ts';

/** What one walk over everything sealed found. */
export interface ResealCount {
  /** Sealed with another key than the current one, and with the current one now. */
  readonly resealed: number;
  /** Opened by no key that is known: changed, or of a key that was destroyed. */
  readonly unreadable: number;
}

/** Something that keeps what is sealed with keys of the installation. */
export interface SealedStore {
  /** `table.column`, for the operator. */
  readonly name: string;
  /** Goes over everything once and seals with the current key what is not. */
  reseal(): Promise<ResealCount>;
}

export interface SealedColumn<Value> {
  readonly table: string;
  /** The primary key, of type uuid. */
  readonly key: string;
  readonly column: string;
  readonly type: 'text' | 'jsonb';
  /** Rows that have something sealed, as a condition; default: all. */
  readonly where?: string;
  /** Another column that the seal is bound to. */
  readonly beside?: string;
  /** Null where it is sealed with the current key already. @throws where no known key opens it */
  readonly reseal: (row: SealedRow<Value>) => Value | null;
}

export interface SealedRow<Value> {
  readonly id: string;
  readonly value: Value;
  readonly beside: unknown;
}

interface StoredRow {
  readonly id: string;
  readonly raw: string;
  readonly beside: unknown;
}

const ROWS_AT_ONCE = 500;
/** Between batches, so that a large table does not keep others from the database. */
const REST_MS = 5;

/** A column of any number of rows, updated along its key in separate statements; a killed process starts over. */
export function sealedColumn<Value>(
  { orm }: Pick<Database, 'orm'>,
  column: SealedColumn<Value>,
): SealedStore {
  return {
    name: `${column.table}.${column.column}`,
    async reseal() {
      let [resealed, unreadable] = [0, 0];
      let after = '00000000-0000-0000-0000-000000000000';
      for (;;) {
        const rows = await readRows(orm, column, after);
        const batch = rows.map((row) => resealRow(column, row));
        resealed += await writeRows(orm, column, batch);
        unreadable += batch.filter((row) => row === 'unreadable').length;
        const last = rows.at(-1);
        if (last === undefined || rows.length < ROWS_AT_ONCE) return { resealed, unreadable };
        after = last.id;
        await sleep(REST_MS);
      }
    },
  };
}

async function readRows<Value>(
  orm: Orm,
  { table, key, column, where = 'true', beside = 'null' }: SealedColumn<Value>,
  after: string,
): Promise<readonly StoredRow[]> {
  const { rows } = await orm.execute(
    sql`select ${sql.raw(key)} as id, ${sql.raw(column)}::text as raw, ${sql.raw(beside)} as beside
      from ${sql.raw(table)} where ${sql.raw(key)} > ${after}::uuid and ${sql.raw(where)}
      order by ${sql.raw(key)} limit ${ROWS_AT_ONCE}`,
  );
  return rows as unknown as StoredRow[];
}

type ResealedRow =
  | { readonly id: string; readonly before: string; readonly after: string }
  | null
  | 'unreadable';

function resealRow<Value>(
  { type, reseal }: SealedColumn<Value>,
  { id, raw, beside }: StoredRow,
): ResealedRow {
  try {
    const value = (type === 'jsonb' ? JSON.parse(raw) : raw) as Value;
    const sealed = reseal({ id, value, beside });
    if (sealed === null) return null;
    return { id, before: raw, after: type === 'jsonb' ? JSON.stringify(sealed) : String(sealed) };
  } catch {
    return 'unreadable';
  }
}

/** A row that has changed since it was read is left: the change sealed it, or the next pass finds it. */
async function writeRows<Value>(
  orm: Orm,
  { table, key, column, type }: SealedColumn<Value>,
  rows: readonly ResealedRow[],
): Promise<number> {
  const changed = rows.filter((row) => row !== null && row !== 'unreadable');
  if (changed.length === 0) return 0;
  const typed = sql.raw(type);
  await orm.execute(sql`
    update ${sql.raw(table)} as stored set ${sql.raw(column)} = sealed.after::${typed}
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as sealed(id uuid, before text, after text)
    where stored.${sql.raw(key)} = sealed.id and stored.${sql.raw(column)} = sealed.before::${typed}`);
  return changed.length;
}
