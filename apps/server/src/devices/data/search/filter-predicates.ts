import { sql } from 'drizzle-orm';
import type { DeviceFilter, DeviceFilterToken } from '@deviceportal/contract/devices';
import { parseMapArea } from '@deviceportal/contract/map-area';
import { refuse } from '@deviceportal/contract/refuse';
import { device, targetListEntry } from '../devices-tables.ts';
import { placedIn } from '../../../locations/data/place-predicate.ts';
import {
  allOf,
  anyOf,
  fromDevice,
  fromRows,
  negated,
  onDevice,
  onStatus,
  source,
  textArrayParam,
  type Predicate,
} from './device-predicate.ts';
import {
  addedSince,
  addedUntil,
  connectivityIs,
  facetIs,
  failsPart,
  hasLabel,
  labelIs,
  lifecycleIs,
  runsSoftware,
  seenSince,
  seenUntil,
  serialBeginsWith,
} from './facet-predicates.ts';
import { metricPredicate, newestMetricPredicate } from './metric-predicate.ts';
import { packagePredicate } from './package-predicate.ts';
import { hasFinding, isFinding } from './finding-predicate.ts';
import { componentTavStateIs, isTavState, worstTavStateIs } from './tav-predicate.ts';
import { d, deviceEntry, s } from './search-rows.ts';
import { columnLike, ownedBy } from './text-predicate.ts';

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The viewer and time of a filter. */
export interface Asked {
  readonly now: Date;
  /** Devices whose location is visible; null for all. */
  readonly mayLocate: Predicate | null;
  /** Devices whose packages are visible; null for all. */
  readonly mayReadPackages: Predicate | null;
}

/** The tokens of a property filter and its target list, as conditions that must all be met. */
export function filterPredicates(filter: DeviceFilter, asked: Asked): Predicate[] {
  const tokens = filter.tokens.map((token, position) => tokenPredicate(token, position, asked));
  const combined = filter.operation === 'or' && tokens.length > 1 ? [anyOf(tokens)] : tokens;
  return filter.targetListId === null ? combined : [onTargetList(filter.targetListId), ...combined];
}

function onTargetList(listId: string): Predicate {
  const { serialNumber } = targetListEntry;
  const isListed = sql`${targetListEntry.listId} = ${listId}`;
  return onDevice(
    sql`exists (select from ${targetListEntry} where ${isListed} and ${serialNumber} = ${d.serialNumber})`,
    [
      source([
        fromRows(
          {
            from: sql`${targetListEntry} join ${device} on ${device.serialNumber} = ${serialNumber}`,
            deviceId: device.id,
          },
          isListed,
        ),
      ]),
    ],
  );
}

function tokenPredicate(token: DeviceFilterToken, position: number, asked: Asked): Predicate {
  const positive = positiveOperator(token.operator);
  const predicate = positivePredicate({ ...token, operator: positive }, asked);
  if (predicate === undefined) {
    throw refuse('filter-unknown', {
      field: ['filter', 'tokens', position],
      facts: { filter: `${token.key} ${token.operator} ${token.values.join(', ')}` },
    });
  }
  return positive === token.operator ? predicate : negated(predicate);
}

function positiveOperator(operator: DeviceFilterToken['operator']) {
  if (operator === '!=') return '=';
  return operator === '!:' ? ':' : operator;
}

function positivePredicate(token: DeviceFilterToken, asked: Asked): Predicate | undefined {
  const { key, operator, values } = token;
  switch (key) {
    case 'serialNumber':
      return serialPredicate(operator, values);
    case 'name':
    case 'model':
      return namePredicate(key, operator, values);
    case 'platform':
      return statusColumn('platform', operator, values);
    case 'agentVersion':
      return statusColumn('agentVersion', operator, values);
    case 'package':
      return within(packagePredicate(operator, values), asked.mayReadPackages);
    case 'lastSeen':
      return momentPredicate(token, asked.now, { since: seenSince, until: seenUntil });
    case 'added':
      return momentPredicate(token, asked.now, { since: addedSince, until: addedUntil });
    case 'metric':
      return operator === '>=' || operator === '<='
        ? metricPredicate(operator, values, asked.now)
        : undefined;
    case 'newestMetric':
      return operator === '>=' || operator === '<='
        ? newestMetricPredicate(operator, values, asked.now)
        : undefined;
    case 'area':
      return operator === '=' ? areaPredicate(values, asked.mayLocate) : undefined;
    default:
      return operator === '=' ? equalityPredicate(key, values) : undefined;
  }
}

/** Restricts a condition to devices whose attribute is visible; for others, it does not match. */
function within(
  predicate: Predicate | undefined,
  mayRead: Predicate | null,
): Predicate | undefined {
  return predicate === undefined || mayRead === null ? predicate : allOf([predicate, mayRead]);
}

function equalityPredicate(
  key: DeviceFilterToken['key'],
  values: readonly string[],
): Predicate | undefined {
  switch (key) {
    case 'owner':
      return values.every((value) => uuidShape.test(value)) ? ownedBy(values) : undefined;
    case 'country':
      return facetIs('country', distinct(values.map((value) => value.toUpperCase())));
    case 'connectivity':
      return connectivityIs(distinct(values));
    case 'lifecycle':
      return lifecycleIs(distinct(values));
    case 'label':
      return anyOf(values.map(labelPredicate));
    case 'software':
      return anyOf(values.map(softwarePredicate));
    case 'failing':
      return anyOf(values.map(failsPart));
    case 'tavState':
      return tavStatePredicate(values);
    case 'finding':
      return values.every(isFinding) ? anyOf(distinct(values).map(hasFinding)) : undefined;
    default:
      return undefined;
  }
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

function labelPredicate(value: string): Predicate {
  const colon = value.indexOf(':');
  return colon < 0 ? hasLabel(value) : labelIs(value.slice(0, colon), value.slice(colon + 1));
}

function softwarePredicate(value: string): Predicate {
  const colon = value.lastIndexOf(':');
  return colon < 0
    ? runsSoftware(value, null)
    : runsSoftware(value.slice(0, colon), value.slice(colon + 1));
}

/** `state`, the worst of a device's components, or `component:state`. */
function tavStatePredicate(values: readonly string[]): Predicate | undefined {
  const wanted = values.map((value) => {
    const colon = value.lastIndexOf(':');
    const state = value.slice(colon + 1);
    if (!isTavState(state)) return null;
    return colon < 0 ? worstTavStateIs(state) : componentTavStateIs(value.slice(0, colon), state);
  });
  if (wanted.includes(null)) return undefined;
  return anyOf(wanted.filter((each) => each !== null));
}

function serialPredicate(operator: string, values: readonly string[]): Predicate | undefined {
  const serials = distinct(values.map((value) => value.trim().toUpperCase()));
  if (operator === '^') return anyOf(serials.map(serialBeginsWith));
  if (operator === ':') return columnLike('serialNumber', serials, false);
  if (operator !== '=') return undefined;
  const list = textArrayParam(serials);
  return onDevice(sql`${d.serialNumber} = any(${list})`, [
    source([fromDevice(sql`${deviceEntry.serialNumber} = any(${list})`)], { few: true }),
  ]);
}

function namePredicate(
  key: 'name' | 'model',
  operator: string,
  values: readonly string[],
): Predicate | undefined {
  if (operator === '^' || operator === ':') return columnLike(key, values, operator === '^');
  if (operator !== '=') return undefined;
  if (key === 'model') return facetIs('model', distinct(values));
  return onDevice(sql`${d.name} = any(${textArrayParam(values)})`, [
    source([fromDevice(sql`${deviceEntry.name} collate "C" = any(${textArrayParam(values)})`)]),
  ]);
}

/** Has no index. It is checked during the walk, or on the matches of other conditions. */
function statusColumn(
  column: 'platform' | 'agentVersion',
  operator: string,
  values: readonly string[],
): Predicate | undefined {
  const name = s[column];
  if (operator === '=') return onStatus(sql`${name} = any(${textArrayParam(values)})`);
  if (operator !== '^' && operator !== ':') return undefined;
  return anyOf(
    values.map((value) =>
      operator === '^'
        ? onStatus(sql`starts_with(lower(${name}), ${value.toLowerCase()})`)
        : onStatus(sql`strpos(lower(${name}), ${value.toLowerCase()}) > 0`),
    ),
  );
}

function areaPredicate(
  values: readonly string[],
  mayLocate: Predicate | null,
): Predicate | undefined {
  const areas = values.map(parseMapArea);
  if (areas.includes(undefined)) return undefined;
  return anyOf(areas.filter((area) => area !== undefined).map((area) => placedIn(area, mayLocate)));
}

function momentPredicate(
  { operator, values }: DeviceFilterToken,
  now: Date,
  by: Readonly<Record<'since' | 'until', (moment: Date) => Predicate>>,
): Predicate | undefined {
  if (operator !== '>=' && operator !== '<=') return undefined;
  const moments = values
    .map((value) => readMoment(value, now))
    .filter((moment) => moment !== undefined);
  if (moments.length < values.length) return undefined;
  return anyOf(moments.map(operator === '>=' ? by.since : by.until));
}

/** ISO 8601, or relative to now: `-30m`, `-24h`, `-7d`. */
function readMoment(value: string, now: Date): Date | undefined {
  const relative = /^-(\d{1,5})([mhd])$/.exec(value);
  if (relative !== null) {
    const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }[relative[2] as 'm' | 'h' | 'd'];
    return new Date(now.getTime() - Number(relative[1]) * unitMs);
  }
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}
