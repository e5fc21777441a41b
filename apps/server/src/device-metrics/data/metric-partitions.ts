import { sql } from 'drizzle-orm';
import { isHeld, isRangeHeld } from '../../legal-holds/data/held.ts';
import type { Database } from '../../platform/database/database.ts';
import { deleteEnded } from '../../platform/retention.ts';
import { selectList, selectRows } from '../../platform/database/select-rows.ts';
import { dayOf, monthOf } from '../metric-time.ts';

/** How a table is partitioned; the function of the database knows the same widths. */
interface PartitionedTable {
  readonly table: string;
  readonly key: string;
  /** Keys per partition. */
  readonly width: number;
  /** SQL of the time at which a key begins. */
  readonly startOf: (key: string) => string;
}

export const hourPartitions: PartitionedTable = {
  ...{ table: 'device_metric_hour', key: 'hour', width: 24 },
  startOf: (key) => `to_timestamp((${key})::bigint * 3600)`,
};
export const dayPartitions: PartitionedTable = {
  ...{ table: 'device_metric_day', key: 'day', width: 30 },
  startOf: (key) => `to_timestamp((${key})::bigint * 86400)`,
};
export const monthPartitions: PartitionedTable = {
  ...{ table: 'device_metric_month', key: 'month', width: 12 },
  startOf: (key) => `make_timestamptz((${key}) / 12, (${key}) % 12 + 1, 1, 0, 0, 0, 'UTC')`,
};

/** Of samples, days that will begin soon; of the others, those of these days. */
const DAYS_AHEAD = 2;

/**
 * Creates the partitions for samples of the time in which they are accepted, and for rows that have
 * none, for example after a backup was restored. Such rows move into them. Returns how many were
 * created.
 *
 * @throws an error of class 55 if a lock is not available for two seconds
 */
export async function ensureMetricPartitions(
  { orm }: Pick<Database, 'orm'>,
  { now, sampleDays }: { readonly now: Date; readonly sampleDays: number },
): Promise<number> {
  const today = dayOf(now.getTime() / 1_000);
  const days = Array.from(
    { length: sampleDays + DAYS_AHEAD + 1 },
    (_, index) => today + DAYS_AHEAD - index,
  );
  const wanted = [
    ...days.map((day) => ({ ...hourPartitions, number: day })),
    ...numbersOf(days, dayPartitions.width).map((number) => ({ ...dayPartitions, number })),
    ...numbersOf(days.map(monthOf), monthPartitions.width).map((number) => ({
      ...monthPartitions,
      number,
    })),
  ];
  for (const table of [hourPartitions, dayPartitions, monthPartitions])
    wanted.push(...(await numbersWithout(orm, table)).map((number) => ({ ...table, number })));
  let created = 0;
  for (const { table, key, number, width } of wanted) {
    const [found] = await orm
      .select({ created: sql<boolean>`created` })
      .from(
        sql`ensure_metric_partition(${table}, ${key}, ${number}::integer, ${width}::integer) as created`,
      );
    if (found?.created) created += 1;
  }
  return created;
}

const numbersOf = (keys: readonly number[], width: number): number[] => [
  ...new Set(keys.map((key) => Math.floor(key / width))),
];

const MOST_AT_ONCE = 1_000;
const numberOnly = selectList({ number: sql<number>`found.number` });

/** Numbers of the partitions that rows need and that do not exist. */
async function numbersWithout(
  orm: Database['orm'],
  { table, key, width }: PartitionedTable,
): Promise<number[]> {
  const rows = await selectRows(
    orm,
    numberOnly,
    (list) => sql`
    select ${list} from (
      select distinct ${sql.identifier(key)} / ${width}::integer as number
      from ${sql.identifier(`${table}_other`)} where ${sql.identifier(key)} >= 0 limit ${MOST_AT_ONCE}
    ) found`,
  );
  return rows.map(({ number }) => number);
}

const partition = selectList({
  number: sql<number>`found.number`,
  isHeld: sql<boolean>`found.is_held`,
});

/**
 * Drops the partitions whose keys are all before the given one. Of a partition that a legal hold
 * reaches into, only rows that no hold covers are deleted. Returns how many were dropped.
 *
 * @throws an error of class 55 if a lock is not available for two seconds
 */
export async function dropMetricPartitions(
  database: Pick<Database, 'orm'>,
  { table, key, width, startOf }: PartitionedTable,
  before: number,
): Promise<number> {
  const prefix = `${table}_`;
  const [first, last] = [startOf(`n.number * ${width}`), startOf(`(n.number + 1) * ${width}`)];
  const found = await selectRows(
    database.orm,
    partition,
    (list) => sql`
    select ${list} from (
      select n.number, ${isRangeHeld(sql.raw(first), sql.raw(last))} as is_held
      from pg_inherits i join pg_class c on c.oid = i.inhrelid,
        lateral (select nullif(substr(c.relname, ${prefix.length + 1}::integer), 'other')::integer as number) n
      where i.inhparent = ${table}::regclass and (n.number + 1) * ${width}::integer <= ${before}::integer
    ) found order by found.number`,
  );
  let dropped = 0;
  for (const { number, isHeld: mustKeep } of found) {
    if (mustKeep) {
      const at = sql.raw(startOf(key));
      const isRowHeld = isHeld({ device: sql.identifier('device_id'), at });
      await deleteEnded(database, { table: `${prefix}${number}`, ended: sql`not ${isRowHeld}` });
    } else {
      await database.orm.execute(sql`select drop_metric_partition(${table}, ${number}::integer)`);
      dropped += 1;
    }
  }
  return dropped;
}
