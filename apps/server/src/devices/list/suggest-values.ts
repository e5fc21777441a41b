import { sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type { suggestValuesInput, ValueSuggestion } from '@deviceportal/contract/devices';
import { findingRules } from '@deviceportal/contract/finding-rules';
import { holds } from '@deviceportal/contract/permissions';
import { connectivity, deviceLifecycle, tavState } from '@deviceportal/contract/states';
import { selfCheckParts } from '@deviceportal/device-protocol/messages';
import type { Executor } from '../../platform/database/database.ts';
import { personSightOf } from '../../people/data/person-sight.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { DevicesDependencies } from '../devices-dependencies.ts';
import { listDevices } from './list-devices.ts';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import { every } from '../search/predicate-forms.ts';
import { scopePredicate } from '../search/scope-predicate.ts';

const SUGGESTIONS = 50;

/** Values that a filter can take, within the viewer's scope. Cost grows with the number of values, not of devices. */
export async function suggestValues(
  deps: DevicesDependencies,
  viewer: Viewer,
  input: z.infer<typeof suggestValuesInput>,
): Promise<readonly ValueSuggestion[]> {
  const on = deps.database.orm;
  const text = input.text.trim();
  switch (input.key) {
    case 'connectivity':
      return fixed(Object.keys(connectivity), text);
    case 'lifecycle':
      return fixed(Object.keys(deviceLifecycle), text);
    case 'failing':
      return fixed([...selfCheckParts, 'heartbeat'], text);
    case 'tavState':
      return fixed(Object.keys(tavState), text);
    case 'finding':
      return fixed([...findingRules, 'any'], text);
    case 'lastSeen':
    case 'added':
      return fixed(['-1h', '-24h', '-7d', '-30d'], text);
    case 'area':
      // An area comes from the map.
      return [];
    case 'country':
    case 'model':
      return fixed(await facetValues(on, viewer, input.key), text);
    case 'label':
      return plain(await labelValues(on, viewer, text));
    case 'software':
      return plain(await softwareValues(on, viewer, text));
    case 'package':
      return plain(await packageValues(on, viewer, text));
    case 'platform':
    case 'agentVersion':
      return fixed(await instanceValues(on, viewer, input.key), text);
    case 'owner':
      return owners(on, viewer, text);
    case 'serialNumber':
    case 'name':
      return devicesLike(deps, viewer, { key: input.key, text });
  }
}

const plain = (values: readonly string[]): ValueSuggestion[] =>
  values.slice(0, SUGGESTIONS).map((value) => ({ value, label: value }));

function fixed(values: readonly string[], text: string): ValueSuggestion[] {
  const wanted = text.toLowerCase();
  return plain(values.filter((value) => value.toLowerCase().includes(wanted)));
}

/**
 * The distinct values of an indexed column, each found by a jump over all rows of the one before: PostgreSQL has no
 * loose index scan of its own before version 18.
 */
function looseValues(table: SQL, column: SQL, where: SQL = sql`true`): SQL {
  return sql`
    with recursive v as (
      (select ${column} as value from ${table} where ${where} and ${column} is not null order by ${column} limit 1)
      union all
      select (select ${column} from ${table} where ${where} and ${column} > v.value order by ${column} limit 1)
      from v where v.value is not null)
    select value from v where value is not null`;
}

async function facetValues(
  on: Executor,
  viewer: Viewer,
  key: 'country' | 'model',
): Promise<string[]> {
  const scope = scopePredicate(viewer.grants, ['devices:read']);
  const column = sql.identifier(key);
  const inScope =
    scope === null
      ? sql`true`
      : sql`exists (select from device d where d.${column} = v.value and ${scope.where})`;
  return readValues(
    on,
    sql`select value from (${looseValues(sql`device`, sql`device.${column}`)}) v where ${inScope} limit 1000`,
  );
}

/** Keys at first, and the values of a key behind its colon. */
async function labelValues(on: Executor, viewer: Viewer, text: string): Promise<string[]> {
  const scope = scopePredicate(viewer.grants, ['devices:read']);
  const colon = text.indexOf(':');
  const inScope = (label: SQL) =>
    scope === null
      ? sql`true`
      : // Row by row until the first that is in scope: joined at once, every label of a key would be read.
        sql`exists (
          select from (select l.device_id from device_label l where ${label} offset 0) l
          cross join lateral (select from device d where d.id = l.device_id and (${scope.where}) offset 0) d)`;
  if (colon < 0) {
    const keys = looseValues(sql`device_label l`, sql`l.key`);
    return readValues(
      on,
      sql`select value from (${keys}) v where strpos(lower(value), ${text.toLowerCase()}) > 0
        and ${inScope(sql`l.key = v.value`)} limit ${SUGGESTIONS}`,
    );
  }
  const key = text.slice(0, colon);
  const prefix = `${likeLiteral(text.slice(colon + 1))}%`;
  const found = looseValues(sql`device_label l`, sql`l.value`, sql`l.key = ${key}`);
  const rows = await readValues(
    on,
    sql`select value from (${found}) v where value ilike ${prefix}
      and ${inScope(sql`l.key = ${key} and l.value = v.value`)} limit ${SUGGESTIONS}`,
  );
  return rows.map((value) => `${key}:${value}`);
}

async function softwareValues(on: Executor, viewer: Viewer, text: string): Promise<string[]> {
  const scope = scopePredicate(viewer.grants, ['devices:read']);
  const inScope = (installed: SQL) =>
    scope === null
      ? sql`true`
      : sql`exists (select from device_version x join device d on d.id = x.device_id where ${installed} and ${scope.where})`;
  const colon = text.lastIndexOf(':');
  if (colon < 0) {
    const components = looseValues(sql`device_version i`, sql`i.component`);
    return readValues(
      on,
      sql`select value from (${components}) c where strpos(lower(value), ${text.toLowerCase()}) > 0
        and ${inScope(sql`x.component = c.value`)} limit ${SUGGESTIONS}`,
    );
  }
  const component = text.slice(0, colon);
  const versions = looseValues(
    sql`device_version i`,
    sql`i.version`,
    sql`i.component = ${component}`,
  );
  const rows = await readValues(
    on,
    sql`select value from (${versions}) c where starts_with(value, ${text.slice(colon + 1)})
      and ${inScope(sql`x.component = ${component} and x.version = c.value`)} limit ${SUGGESTIONS}`,
  );
  return rows.map((version) => `${component}:${version}`);
}

/** Names at first, and the versions of a package behind its colon. */
async function packageValues(on: Executor, viewer: Viewer, text: string): Promise<string[]> {
  const scopes = (['devices:read', 'versions:read'] as const).flatMap(
    (permission) => scopePredicate(viewer.grants, [permission]) ?? [],
  );
  const within = every(scopes);
  const inScope = sql`exists (
    select from device_package x join device d on d.id = x.device_id where x.version_id = v.id and ${within})`;
  const colon = text.indexOf(':');
  const wanted =
    colon < 0
      ? sql`v.name like ${`%${likeLiteral(text.toLowerCase())}%`}`
      : sql`v.name = ${text.slice(0, colon)} and starts_with(v.version, ${text.slice(colon + 1)})`;
  const value = colon < 0 ? sql`v.name` : sql`v.name || ':' || v.version`;
  return readValues(
    on,
    sql`select distinct ${value} as value from package_version v where ${wanted} and ${inScope}
      order by value limit ${SUGGESTIONS}`,
  );
}

/** There are few of these, and the devices seen last have them all: looking at so many of each connectivity is enough. */
const NEWEST_OF_EACH = 4_000;

async function instanceValues(
  on: Executor,
  viewer: Viewer,
  key: 'platform' | 'agentVersion',
): Promise<string[]> {
  const scope = scopePredicate(viewer.grants, ['devices:read']);
  const device =
    scope === null ? sql`` : sql`join device d on d.id = s.device_id and ${scope.where}`;
  const column = key === 'platform' ? sql`platform` : sql`agent_version`;
  return readValues(
    on,
    sql`select distinct s.value from (
      select n.* from unnest(${sql.param(Object.keys(connectivity))}::text[]) c(state) cross join lateral (
        select device_id, ${column} as value from device_status where connectivity = c.state
        order by seen_rank desc, device_id desc limit ${NEWEST_OF_EACH}) n) s ${device}
      where s.value is not null order by s.value limit 1000`,
  );
}

async function owners(on: Executor, viewer: Viewer, text: string): Promise<ValueSuggestion[]> {
  if (!holds(viewer.grants, 'people:read') || text === '') return [];
  const pattern = `%${likeLiteral(text.toLowerCase())}%`;
  const found = await on.execute<{ id: string; name: string }>(sql`
    select id, name from person p
    where ${personSightOf(viewer).named} and lower(name || ' ' || username || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '')) like ${pattern}
    limit ${SUGGESTIONS}`);
  return found.rows.map((row) => ({ value: row.id, label: row.name }));
}

async function devicesLike(
  deps: DevicesDependencies,
  viewer: Viewer,
  wanted: { readonly key: 'serialNumber' | 'name'; readonly text: string },
): Promise<ValueSuggestion[]> {
  if (wanted.text === '') return [];
  const page = await listDevices(deps, viewer, {
    filter: {
      text: '',
      tokens: [{ key: wanted.key, operator: '^', values: [wanted.text] }],
      operation: 'and',
      targetListId: null,
    },
    sort: wanted.key,
    descending: false,
    pageSize: 25,
    cursor: null,
  });
  const found = page.rows.flatMap((row) => row[wanted.key] ?? []);
  return plain([...new Set(found)]);
}

async function readValues(on: Executor, query: SQL): Promise<string[]> {
  const found = await on.execute<{ value: string }>(query);
  return found.rows.map((row) => row.value);
}
