import { and, asc, eq, sql } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { rowsFor } from '../../platform/database/rows-for.ts';
import { arrayOf } from '../../platform/database/rows-of.ts';
import { selectList, selectRows } from '../../platform/database/select-rows.ts';
import type { SoftwareChange } from '../software-change.ts';
import { deviceVersion, deviceVersionHistory } from './versions-tables.ts';

/** A component of a reported list. */
export type ReportedComponent = Pick<
  typeof deviceVersion.$inferSelect,
  'deviceId' | 'component' | 'version' | 'since'
>;

export interface ReportedList {
  readonly deviceId: string;
  readonly at: Date;
}

const given = alias(deviceVersion, 'given');
const keys = ['deviceId', 'component', 'version', 'since'] as const;
const { deviceId, component, version, since, reportedAt } = deviceVersion;

/** `before` null: the component is new; `after` null: it was removed. */
const differenceList = selectList({
  deviceId: sql<ReportedComponent['deviceId']>`diff.id`,
  component: sql<ReportedComponent['component']>`diff.component`,
  before: sql<ReportedComponent['version'] | null>`diff.before`,
  after: sql<ReportedComponent['version'] | null>`diff.after`,
});

/** Records the differences from the lists in the history, and returns them. */
export async function recordDifferences(
  tx: Transaction,
  lists: readonly ReportedList[],
  items: readonly ReportedComponent[],
): Promise<SoftwareChange[]> {
  const history = deviceVersionHistory;
  const reported = alias(history, 'reported');
  return selectRows(
    tx,
    differenceList,
    (list) => sql`
    with i as materialized (
      select ${given.deviceId} as id, ${given.component} as component, ${given.version} as version
      from ${rowsFor(given, keys, items)}),
    old as materialized (
      select ${deviceId} as id, ${component} as component, ${version} as version from ${deviceVersion}
      where ${isAnyOf(
        deviceId,
        lists.map(({ deviceId: id }) => id),
      )}),
    diff as (
      select coalesce(i.id, old.id) as id, coalesce(i.component, old.component) as component, old.version as before,
        i.version as after
      from i full join old on old.id = i.id and old.component = i.component
      where old.version is distinct from i.version),
    kept as (
      insert into ${history} (${columnNames(history.deviceId, history.component, history.version, history.at)})
      select diff.id, diff.component, diff.after, ${reported.at}
      from diff join ${rowsFor(reported, ['deviceId', 'at'], lists)} on ${reported.deviceId} = diff.id)
    select ${list} from diff order by diff.id, diff.component`,
  );
}

/** The time since which a device runs a version is kept while the version is unchanged. */
export async function upsertComponents(
  tx: Transaction,
  items: readonly ReportedComponent[],
): Promise<void> {
  await tx.execute(sql`
    insert into ${deviceVersion} (${columnNames(deviceId, component, version, since, reportedAt)})
    select ${given.deviceId}, ${given.component}, ${given.version}, ${given.since}, ${given.since}
    from ${rowsFor(given, keys, items)} order by ${given.deviceId}, ${given.component}
    on conflict (${columnNames(deviceId, component)}) do update
    set ${columnNames(version)} = ${excluded(version)}, ${columnNames(reportedAt)} = ${excluded(reportedAt)},
      ${columnNames(since)} = case when ${version} = ${excluded(version)} then ${since} else ${excluded(since)} end`);
}

export async function deleteComponents(
  tx: Transaction,
  gone: readonly Pick<ReportedComponent, 'deviceId' | 'component'>[],
): Promise<void> {
  await tx.execute(sql`
    delete from ${deviceVersion} using ${rowsFor(given, ['deviceId', 'component'], gone)}
    where ${and(eq(deviceId, given.deviceId), eq(component, given.component))}`);
}

/**
 * The version of each device that lists show: that of the firmware, else of the operating system; null without both.
 */
export function mainVersions(deviceIds: readonly string[]) {
  const build = new QueryBuilder();
  const main = build
    .select({ version })
    .from(deviceVersion)
    .where(and(eq(deviceId, sql`ids.id`), sql`${component} in ('firmware', 'os')`))
    .orderBy(asc(component))
    .limit(1);
  return build
    .select({
      deviceId: sql<string>`ids.id`.as('main_device'),
      version: sql<string | null>`${main}`.as('main_version'),
    })
    .from(sql`unnest(${arrayOf('uuid', deviceIds)}) as ids(id)`)
    .as('main');
}
