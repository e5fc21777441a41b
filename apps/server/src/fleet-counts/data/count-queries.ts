import { sql, type SQL } from 'drizzle-orm';
import type { Connectivity, DeviceLifecycle } from '@deviceportal/contract/states';
import {
  deviceScopeCondition,
  type ScopedColumns,
} from '../../devices/data/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { LabelSetScopes } from '../label-sets-of-scopes.ts';
import {
  countedLabelSet,
  fleetCount,
  fleetCountProgress,
  fleetFindingCount,
} from './fleet-counts-tables.ts';

/** With the moment up to which the counters contain all changes. */
export interface Counted<Row> {
  readonly asOf: Date;
  readonly rows: readonly Row[];
}

export interface StateCount {
  readonly connectivity: Connectivity;
  readonly lifecycle: DeviceLifecycle;
  readonly country: string | null;
  readonly model: string | null;
  readonly old: boolean;
  readonly count: number;
}

const { countedTo } = fleetCountProgress;

/** Numbers of devices by state, country, and model; null if not all of the sets are counted. */
export async function readStateCounts(
  on: Executor,
  sets: readonly LabelSetScopes[],
): Promise<Counted<StateCount> | null> {
  const { country, model, connectivity, lifecycle, isOld, devices } = fleetCount;
  const found = await on.execute<Partial<StateCount> & SetRow>(
    everySet(
      sets,
      (set, at) => sql`
      select ${at}::int as set_at, ${countedTo}::text as counted_to, ${connectivity} as connectivity,
        ${lifecycle} as lifecycle, nullif(${country}, '') as country, nullif(${model}, '') as model, ${isOld} as old,
        sum(${devices})::int as count
      from ${countersOf(set, fleetCount)}
      group by 1, 2, 3, 4, 5, 6, 7`,
    ),
  );
  return counted(found.rows, sets, ({ connectivity: state }) => state !== null);
}

export interface FindingCountRow {
  /** Empty for any finding. */
  readonly rule: string;
  readonly severity: string;
  readonly count: number;
}

/** Numbers of devices by finding; null if not all of the sets are counted. */
export async function readFindingCounts(
  on: Executor,
  sets: readonly LabelSetScopes[],
): Promise<Counted<FindingCountRow> | null> {
  const { rule, severity, devices } = fleetFindingCount;
  const found = await on.execute<Partial<FindingCountRow> & SetRow>(
    everySet(
      sets,
      (set, at) => sql`
      select ${at}::int as set_at, ${countedTo}::text as counted_to, ${rule} as rule, ${severity} as severity,
        sum(${devices})::int as count
      from ${countersOf(set, fleetFindingCount)}
      group by 1, 2, 3, 4`,
    ),
  );
  return counted(found.rows, sets, (row) => row.rule !== null);
}

interface SetRow {
  [column: string]: unknown;
  set_at: number;
  counted_to: string | null;
}

const everySet = (
  sets: readonly LabelSetScopes[],
  select: (set: LabelSetScopes, at: number) => SQL,
): SQL => sql.join(sets.map(select), sql` union all `);

/** At least one row for each set that is counted, without values if it has no devices. */
function countersOf(
  { labels, scopes }: LabelSetScopes,
  counter: typeof fleetCount | typeof fleetFindingCount,
): SQL {
  const scoped: ScopedColumns = {
    country: counter.country,
    model: counter.model,
    labels: sql`'{}'`,
  };
  const within = deviceScopeCondition(
    scopes.map((scope) => ({ ...scope, labels: {} })),
    scoped,
  );
  return sql`${fleetCountProgress}
    join ${countedLabelSet} on ${countedLabelSet.isCounted} and ${countedLabelSet.labels} = ${JSON.stringify(labels)}::jsonb
    left join ${counter} on ${counter.labelSet} = ${countedLabelSet.id} and ${counter.devices} <> 0 and ${within}`;
}

/** Null if a set has no row. */
function counted<Row extends SetRow, Count>(
  rows: readonly Row[],
  sets: readonly LabelSetScopes[],
  hasValues: (row: Row) => boolean,
): Counted<Count> | null {
  const present = new Set(rows.map(({ set_at: at }) => at));
  const to = rows[0]?.counted_to ?? null;
  if (to === null || present.size < sets.length) return null;
  return { asOf: new Date(to), rows: rows.filter(hasValues) as unknown as readonly Count[] };
}
