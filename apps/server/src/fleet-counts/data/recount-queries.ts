import { eq, sql } from 'drizzle-orm';
import { deviceConnections } from '../../devices/data/device-connections.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { idArrayParam } from '../../devices/data/search/device-predicate.ts';
import { openFindings } from '../../findings/data/open-findings.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { excluded, setExcluded } from '../../platform/database/excluded.ts';
import {
  countedDevice,
  countedLabelSet,
  fleetCount,
  fleetFindingCount,
} from './fleet-counts-tables.ts';

const facts = [
  'labelSets',
  'country',
  'model',
  'connectivity',
  'lifecycle',
  'isOld',
  'findings',
] as const;
const id = columnNames(countedDevice.deviceId);
const factNames = columnNames(...facts.map((fact) => countedDevice[fact]));
const of = (alias: 'n' | 'o') =>
  sql.join(
    facts.map((fact) => sql`${sql.identifier(alias)}.${sql.identifier(countedDevice[fact].name)}`),
    sql`, `,
  );
const { deviceId, labels } = deviceRecords;
const status = deviceConnections;

/**
 * Counts these devices by their current state, and subtracts their previous count. Idempotent: the counters are
 * correct afterwards, regardless of earlier events and repetitions. Must not run concurrently.
 *
 * @param oldBefore offline devices that were last seen before it are old
 */
export async function recountDevices(
  tx: Transaction,
  deviceIds: readonly string[],
  oldBefore: Date,
): Promise<void> {
  if (deviceIds.length === 0) return;
  const ids = idArrayParam([...new Set(deviceIds)]);
  const sets = sql`array(select ${countedLabelSet.id} from ${countedLabelSet}
    where ${countedLabelSet.isUsed} and ${labels} @> ${countedLabelSet.labels} order by 1)`;
  const found = sql`array(select ${openFindings.rule} || ' ' || ${openFindings.severity} from ${openFindings}
    where ${openFindings.deviceId} = ${deviceId} order by 1)`;
  const isOld = sql`${status.connectivity} = 'offline' and ${status.seenRank} < ${oldBefore.toISOString()}::timestamptz`;
  await tx.execute(sql`
    with n (${id}, ${factNames}) as materialized (
      select ${deviceId}, ${sets}, coalesce(${status.country}, ''), coalesce(${status.model}, ''), ${status.connectivity},
        ${status.lifecycle}, ${isOld}, ${found}
      from ${deviceRecords} join ${status} on ${eq(status.deviceId, deviceId)}
      where ${deviceId} = any(${ids})),
    o as materialized (select ${id}, ${factNames} from ${countedDevice} where ${id} = any(${ids})),
    changed as materialized (
      select coalesce(n.${id}, o.${id}) as id, n.${id} is not null as counts
      from n full join o on o.${id} = n.${id}
      where (${of('n')}) is distinct from (${of('o')})),
    kept as (
      insert into ${countedDevice} (${id}, ${factNames})
      select n.* from n join changed t on t.id = n.${id} and t.counts
      on conflict (${id}) do update set ${setExcluded(countedDevice, facts)}),
    gone as (delete from ${countedDevice} using changed t where ${countedDevice.deviceId} = t.id and not t.counts),
    turn as materialized (
      select s.label_set, r.* from (
        select 1 as by, ${of('n')} from n join changed t on t.id = n.${id}
        union all
        select -1, ${of('o')} from o join changed t on t.id = o.${id}) r
      cross join lateral unnest(r.${columnNames(countedDevice.labelSets)}) s(label_set)),
    ${statesOf()}
    ${findingsOf()}`);
}

const shared = columnNames(fleetCount.labelSet, fleetCount.country, fleetCount.model);

/** Adds the turns to the numbers of devices by state. */
function statesOf() {
  const { connectivity, lifecycle, isOld, devices } = fleetCount;
  const cell = sql`${shared}, ${columnNames(connectivity, lifecycle, isOld)}`;
  return sql`states as (
      insert into ${fleetCount} (${cell}, ${columnNames(devices)})
      select ${cell}, sum(by) from turn group by 1, 2, 3, 4, 5, 6 having sum(by) <> 0 order by 1, 2, 3, 4, 5, 6
      on conflict (${cell}) do update set ${columnNames(devices)} = ${devices} + ${excluded(devices)})`;
}

/** The same for findings: each device once for each finding, and once if it has any. */
function findingsOf() {
  const { rule, severity, devices } = fleetFindingCount;
  const cell = sql`${shared}, ${columnNames(rule, severity)}`;
  return sql`
    insert into ${fleetFindingCount} (${cell}, ${columnNames(devices)})
    select ${shared}, split_part(f.finding, ' ', 1), split_part(f.finding, ' ', 2), sum(by)
    from turn cross join lateral (
      select unnest(findings) as finding union all select '' where cardinality(findings) > 0) f
    group by 1, 2, 3, 4, 5 having sum(by) <> 0 order by 1, 2, 3, 4, 5
    on conflict (${cell}) do update set ${columnNames(devices)} = ${devices} + ${excluded(devices)}`;
}
