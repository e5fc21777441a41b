import { gte, lte, sql, type SQL } from 'drizzle-orm';
import type { DeviceSort } from '@deviceportal/contract/devices';
import { connectivity as connectivityStates, tavState } from '@deviceportal/contract/states';
import { installedVersions } from '../../../versions/data/installed-versions.ts';
import { rendered } from '../../../platform/database/rendered.ts';
import { deviceLabel } from '../devices-tables.ts';
import {
  copiedKeys,
  fromDevice,
  fromRows,
  fromStatus,
  onDevice,
  onStatus,
  source,
  textArrayParam,
  type Branch,
  type Predicate,
  type Source,
} from './device-predicate.ts';
import { d, deviceEntry, labelEntry, s, statusEntry } from './search-rows.ts';

/** Maximum number of alternatives that are merged in order. More are looked up together. */
const MERGED_VALUES = 8;
const bySerialOrName: readonly DeviceSort[] = ['serialNumber', 'name'];
const connectivities = Object.keys(connectivityStates);
/** `none`: no component of the device has approvals. */
const storedTavStates = ['none', ...Object.keys(tavState)];
const everySort: readonly DeviceSort[] = ['serialNumber', 'name', 'lastSeen'];

const connectivityOfEntry = rendered(statusEntry.connectivity);
const tavStateOfEntry = rendered(statusEntry.tavState);

/** Country or model. For "last seen" the index is on device_status, for other sort orders on device. */
export function facetIs(key: 'country' | 'model', values: readonly string[]): Predicate {
  const where = sql`${d[key]} = any(${textArrayParam(values)})`;
  const copied = { whereOnStatus: sql`${s[key]} = any(${textArrayParam(values)})` };
  if (values.length > MERGED_VALUES) {
    const all = fromDevice(sql`${deviceEntry[key]} = any(${textArrayParam(values)})`);
    return { ...onDevice(where, [source([all])]), ...copied };
  }
  const sources = [
    source(
      values.map((value) => fromDevice(sql`${deviceEntry[key]} = ${value}`, bySerialOrName)),
      { disjoint: true },
    ),
    source(
      values.map((value) => fromStatus(sql`${statusEntry[key]} = ${value}`, ['lastSeen'])),
      { disjoint: true },
    ),
  ];
  return { ...onDevice(where, sources), ...copied };
}

/**
 * Devices sorted by "last seen", from the one index that contains all of them, by merging its ranges for each
 * connectivity and TAV state. Every additional index would be written with every status change.
 *
 * @param of known values of the rows, which limit the merged ranges
 */
export function devicesBySeen(
  of: {
    readonly connectivity?: readonly string[];
    readonly tavState?: readonly string[];
    readonly seenRange?: SQL;
    readonly exact?: boolean;
  } = {},
): Source {
  const seen = of.seenRange ?? sql`true`;
  const connected = of.connectivity ?? connectivities;
  const tav = of.tavState ?? storedTavStates;
  const piece = (state: SQL, means: SQL) =>
    fromStatus(
      sql`${connectivityOfEntry} = ${state} and ${tavStateOfEntry} = ${means} and ${seen}`,
      ['lastSeen'],
    );
  const pieces = connected.flatMap((state) =>
    tav.map((means) => piece(sql`${state}`, sql`${means}`)),
  );
  // All TAV states are listed, so that the index range behind them can be used.
  const unordered = fromStatus(sql`${statusEntry.connectivity} = any(${textArrayParam(connected)})
    and ${statusEntry.tavState} = any(${textArrayParam(tav)}) and ${seen}`);
  return source(pieces, {
    disjoint: true,
    unordered: [unordered],
    repeated: {
      rows: sql`(select * from unnest(${textArrayParam(connected)}) c(connectivity)
        cross join unnest(${textArrayParam(tav)}) t(tav_state)) p`,
      branch: piece(sql`p.connectivity`, sql`p.tav_state`),
    },
    exact: of.exact ?? true,
  });
}

export function connectivityIs(values: readonly string[]): Predicate {
  const found = onStatus(sql`${s.connectivity} = any(${textArrayParam(values)})`, [
    source(
      values.map((value) =>
        fromStatus(sql`${statusEntry.connectivity} = ${value}`, bySerialOrName),
      ),
      { disjoint: true },
    ),
    devicesBySeen({ connectivity: values }),
  ]);
  const seenRange = seenRangeOf(values);
  return seenRange === null ? found : { ...found, seenRange };
}

/** Connected devices have the maximum `seen_rank`, devices that never connected the minimum. */
function seenRangeOf(values: readonly string[]): SQL | null {
  const now = values.some((value) => value === 'online' || value === 'degraded');
  const never = values.includes('never');
  const once = values.some((value) => !['online', 'degraded', 'never'].includes(value));
  const bounds = [
    ...(never
      ? []
      : [
          once
            ? sql`${statusEntry.seenRank} > '-infinity'`
            : sql`${statusEntry.seenRank} >= 'infinity'`,
        ]),
    ...(now
      ? []
      : [
          once
            ? sql`${statusEntry.seenRank} < 'infinity'`
            : sql`${statusEntry.seenRank} <= '-infinity'`,
        ]),
  ];
  if (never && now) return null;
  return sql.join(bounds, sql` and `);
}

/** `active` has no index, because nearly all devices are active. */
export function lifecycleIs(values: readonly string[]): Predicate {
  const where = sql`${d.lifecycle} = any(${textArrayParam(values)})`;
  const copied = { whereOnStatus: sql`${s.lifecycle} = any(${textArrayParam(values)})` };
  if (values.includes('active')) return { ...onDevice(where), ...copied };
  const condition = ({ lifecycle }: typeof deviceEntry | typeof statusEntry, value: string) =>
    sql`${lifecycle} = ${value} and ${lifecycle} <> 'active'`;
  const sources = [
    source(
      values.map((value) => fromDevice(condition(deviceEntry, value), bySerialOrName)),
      { disjoint: true },
    ),
    source(
      values.map((value) => fromStatus(condition(statusEntry, value), ['lastSeen'])),
      { disjoint: true },
    ),
  ];
  return { ...onDevice(where, sources), ...copied };
}

/** All devices that are not retired. */
export const inService = (): Predicate => onStatus(sql`${s.lifecycle} <> 'retired'`);

export function labelIs(key: string, value: string): Predicate {
  const isLabel = sql`${labelEntry.key} = ${key} and ${labelEntry.value} = ${value}`;
  return onDevice(sql`${d.labels} ->> ${key} = ${value}`, [
    source([labelBranch(isLabel, bySerialOrName)], { isEstimated: true }),
  ]);
}

export function hasLabel(key: string): Predicate {
  return onDevice(sql`${d.labels} ->> ${key} is not null`, [
    source([labelBranch(sql`${labelEntry.key} = ${key}`, [])]),
  ]);
}

function labelBranch(where: Branch['where'], ordered: readonly DeviceSort[]): Branch {
  const from = sql`${deviceLabel} ${labelEntry}`;
  const { deviceId } = labelEntry;
  return { ...fromRows({ from, deviceId }, where, copiedKeys(labelEntry)), ordered };
}

/** `component:version`, or the component only. */
export function runsSoftware(component: string, version: string | null): Predicate {
  const { deviceId } = installedVersions;
  const isWanted = sql`${installedVersions.component} = ${component} and ${
    version === null ? sql`true` : sql`${installedVersions.version} = ${version}`
  }`;
  return onDevice(
    sql`exists (select from ${installedVersions} where ${deviceId} = ${d.id} and ${isWanted})`,
    [source([fromRows({ from: installedVersions, deviceId }, isWanted)])],
  );
}

export function failsPart(part: string): Predicate {
  const fact = JSON.stringify([{ part }]);
  return onStatus(sql`${s.failing} @> ${fact}::jsonb`, [
    source([fromStatus(sql`${statusEntry.failing} <> '[]'::jsonb`, everySort)], { exact: false }),
  ]);
}

/** By the time of the disconnect. Connected devices count as seen now; devices that never connected never match. */
export function seenSince(moment: Date): Predicate {
  const from = moment.toISOString();
  const seenRange = sql`${statusEntry.seenRank} >= ${from}::timestamptz`;
  return {
    ...onStatus(sql`${s.seenRank} >= ${from}::timestamptz`, [devicesBySeen({ seenRange })]),
    seenRange,
  };
}

export function seenUntil(moment: Date): Predicate {
  const to = moment.toISOString();
  const where = sql`${s.seenRank} > '-infinity' and ${s.seenRank} <= ${to}::timestamptz`;
  const seenRange = sql`${statusEntry.seenRank} > '-infinity' and ${statusEntry.seenRank} <= ${to}::timestamptz`;
  return { ...onStatus(where, [devicesBySeen({ seenRange })]), seenRange };
}

/** By the time at which the device was added. */
export function addedSince(moment: Date): Predicate {
  return addedWhere(({ createdAt }) => gte(createdAt, moment));
}

export function addedUntil(moment: Date): Predicate {
  return addedWhere(({ createdAt }) => lte(createdAt, moment));
}

function addedWhere(condition: (row: typeof d | typeof deviceEntry) => SQL): Predicate {
  return onDevice(condition(d), [source([fromDevice(condition(deviceEntry))])]);
}

/** Serial numbers with a prefix (uppercase). */
export function serialBeginsWith(prefix: string): Predicate {
  const until = `${prefix}\u{10FFFF}`;
  const range = (of: typeof d | typeof deviceEntry) => {
    const { serialNumber: key } = copiedKeys(of);
    return sql`${key} >= ${prefix} and ${key} < ${until}`;
  };
  return onDevice(range(d), [source([fromDevice(range(deviceEntry), ['serialNumber'])])]);
}
