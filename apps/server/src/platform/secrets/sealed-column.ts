import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Database, Orm } from '../database/database.ts';
import { selectList, selectRows } from '../database/select-rows.ts';

/** Result of one pass over all sealed data. */
export interface ResealCount {
  /** Values that were sealed with an earlier key and are now sealed with the current one. */
  readonly resealed: number;
  /** Values that no known key opens: changed, or sealed with a destroyed key. */
  readonly unreadable: number;
}

/** A store of data sealed with keys of the installation. */
export interface SealedStore {
  /** `table.column`, for the operator. */
  readonly name: string;
  /** Seals everything with the current key in one pass. */
  reseal(): Promise<ResealCount>;
}

export interface SealedColumn<Value> {
  readonly table: string;
  /** The primary key, of type uuid. */
  readonly key: string;
  readonly column: string;
  readonly type: 'text' | 'jsonb';
  /** SQL condition of the rows with sealed data; default: all. */
  readonly where?: string;
  /** Another column that the seal is bound to. */
  readonly beside?: string;
  /**
   * Null if already sealed with the current key.
   * @throws if no known key opens it
   */
  readonly reseal: (row: SealedRow<Value>) => Value | null;
}

export interface SealedRow<Value> {
  readonly id: string;
  readonly value: Value;
  readonly beside: unknown;
}

type StoredRow = Awaited<ReturnType<typeof readRows>>[number];

const ROWS_AT_ONCE = 500;
/** Pause between batches, so that a large table does not block others. */
const REST_MS = 5;

/**
 * A sealed column of any size, updated in key order in separate statements. A killed process starts
 * over.
 */
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

function readRows<Value>(
  orm: Orm,
  { table, key, column, where = 'true', beside = 'null' }: SealedColumn<Value>,
  after: string,
) {
  const stored = selectList({
    id: sql<string>`${sql.raw(key)}`,
    raw: sql<string>`${sql.raw(column)}::text`,
    beside: sql<unknown>`${sql.raw(beside)}`,
  });
  return selectRows(
    orm,
    stored,
    (
      list,
    ) => sql`select ${list} from ${sql.raw(table)} where ${sql.raw(key)} > ${after}::uuid and ${sql.raw(where)}
      order by ${sql.raw(key)} limit ${ROWS_AT_ONCE}`,
  );
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

/** Skips rows that changed since they were read: the change sealed them, or the next pass does. */
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
