import { sql } from 'drizzle-orm';
import type { DeviceSort } from '@deviceportal/contract/devices';
import {
  fromDevice,
  fromRows,
  fromStatus,
  onDevice,
  onStatus,
  source,
  textArrayParam,
  type Branch,
  type Predicate,
} from './device-predicate.ts';

/** More alternatives than this are not merged in order; they are looked up at once. */
const MERGED_VALUES = 8;
const bySerialOrName: readonly DeviceSort[] = ['serialNumber', 'name'];
const everySort: readonly DeviceSort[] = ['serialNumber', 'name', 'lastSeen'];

/** Country or model: indexed under "last seen" beside the hot status, under the other sorts beside the device. */
export function facetIs(key: 'country' | 'model', values: readonly string[]): Predicate {
  const column = sql.identifier(key);
  const where = sql`d.${column} = any(${textArrayParam(values)})`;
  const copied = { whereOnStatus: sql`s.${column} = any(${textArrayParam(values)})` };
  if (values.length > MERGED_VALUES) {
    const all = fromDevice(sql`b.${column} = any(${textArrayParam(values)})`);
    return { ...onDevice(where, [source([all])]), ...copied };
  }
  const sources = [
    source(values.map((value) => fromDevice(sql`b.${column} = ${value}`, bySerialOrName))),
    source(values.map((value) => fromStatus(sql`b.${column} = ${value}`, ['lastSeen']))),
  ];
  return { ...onDevice(where, sources), ...copied };
}

export function connectivityIs(values: readonly string[]): Predicate {
  return onStatus(sql`s.connectivity = any(${textArrayParam(values)})`, [
    source(values.map((value) => fromStatus(sql`b.connectivity = ${value}`, everySort))),
  ]);
}

/** `active` has no index: it is nearly everybody. */
export function lifecycleIs(values: readonly string[]): Predicate {
  const where = sql`d.lifecycle = any(${textArrayParam(values)})`;
  const copied = { whereOnStatus: sql`s.lifecycle = any(${textArrayParam(values)})` };
  if (values.includes('active')) return { ...onDevice(where), ...copied };
  const condition = (value: string) => sql`b.lifecycle = ${value} and b.lifecycle <> 'active'`;
  const sources = [
    source(values.map((value) => fromDevice(condition(value), bySerialOrName))),
    source(values.map((value) => fromStatus(condition(value), ['lastSeen']))),
  ];
  return { ...onDevice(where, sources), ...copied };
}

export function labelIs(key: string, value: string): Predicate {
  return onDevice(sql`d.labels ->> ${key} = ${value}`, [
    source([labelBranch(sql`b.key = ${key} and b.value = ${value}`, bySerialOrName)]),
  ]);
}

export function hasLabel(key: string): Predicate {
  return onDevice(sql`d.labels ->> ${key} is not null`, [
    source([labelBranch(sql`b.key = ${key}`, [])]),
  ]);
}

function labelBranch(where: Branch['where'], ordered: readonly DeviceSort[]): Branch {
  return {
    from: sql`device_label b`,
    table: null,
    idColumn: 'device_id',
    where,
    keys: bySerialOrName,
    ordered,
  };
}

/** `component:version`, or just the component. */
export function runsSoftware(component: string, version: string | null): Predicate {
  const wanted = version === null ? sql`true` : sql`v.version = ${version}`;
  const rows =
    version === null
      ? sql`b.component = ${component}`
      : sql`b.component = ${component} and b.version = ${version}`;
  return onDevice(
    sql`exists (select from device_version v where v.device_id = d.id and v.component = ${component} and ${wanted})`,
    [source([fromRows(sql`device_version b`, rows)])],
  );
}

export function failsPart(part: string): Predicate {
  const fact = JSON.stringify([{ part }]);
  return onStatus(sql`s.failing @> ${fact}::jsonb`, [
    source([fromStatus(sql`b.failing <> '[]'::jsonb`, everySort)], { exact: false }),
  ]);
}

/** By the moment of the disconnect; connected devices are seen now, devices that never connected never were. */
export function seenSince(moment: Date): Predicate {
  const from = moment.toISOString();
  return onStatus(sql`s.seen_rank >= ${from}::timestamptz`, [
    source([fromStatus(sql`b.seen_rank >= ${from}::timestamptz`, ['lastSeen'])]),
  ]);
}

export function seenUntil(moment: Date): Predicate {
  const to = moment.toISOString();
  return onStatus(sql`s.seen_rank > '-infinity' and s.seen_rank <= ${to}::timestamptz`, [
    source([
      fromStatus(sql`b.seen_rank > '-infinity' and b.seen_rank <= ${to}::timestamptz`, [
        'lastSeen',
      ]),
    ]),
  ]);
}

/** Every serial number that begins so, upper case. */
export function serialBeginsWith(prefix: string): Predicate {
  const until = `${prefix}\u{10FFFF}`;
  const range = (alias: string) => {
    const column = sql`${sql.identifier(alias)}.serial_rank collate "C"`;
    return sql`${column} >= ${prefix} and ${column} < ${until}`;
  };
  return onDevice(range('d'), [source([fromDevice(range('b'), ['serialNumber'])])]);
}
