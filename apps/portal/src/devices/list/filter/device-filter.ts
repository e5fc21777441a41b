import type {
  DeviceFilterInput,
  DeviceFilterKey,
  DeviceFilterToken,
  DeviceSort,
} from '@deviceportal/contract/devices';
import { parseMapArea } from '@deviceportal/contract/map-area';
import { decodeFilter, type FilterQuery, type FilterQueryToken } from '../../../ui/filter-codec.ts';
import { isMetricLimit } from './metric-limit.ts';
import { operatorsByKey } from './device-filter-keys.ts';

/** Sorts for which an index exists. */
const deviceSorts: readonly DeviceSort[] = ['serialNumber', 'name', 'lastSeen'];

export interface DevicesSorting {
  readonly sort: DeviceSort;
  readonly descending: boolean;
}

/**
 * The sort of an address. A sort without an index becomes the default, most recent contact first.
 */
export function decodeSort(sort: string): DevicesSorting {
  const name = sort.replace(/^-/, '');
  const known = deviceSorts.find((each) => each === name);
  if (known === undefined) return { sort: 'lastSeen', descending: true };
  return { sort: known, descending: sort.startsWith('-') };
}

export function encodeSort({
  sort,
  descending,
}: {
  readonly sort: string;
  readonly descending: boolean;
}): string {
  return descending ? `-${sort}` : sort;
}

/** The parts of the address that select devices. */
export interface DeviceFilterSearch {
  readonly q: string;
  readonly op: 'and' | 'or';
  /** The ID of a stored list of serial numbers. */
  readonly targets: string;
}

export interface DecodedDeviceFilter {
  readonly query: FilterQuery;
  readonly filter: DeviceFilterInput;
  /** Invalid tokens of the address, which the screen reports as ignored. */
  readonly dropped: readonly FilterQueryToken[];
}

/**
 * The filter of an address. `lastSeen` and `added` accept a time, or an age that the server
 * subtracts from its time: `-24h`.
 */
export function decodeDeviceFilter(search: DeviceFilterSearch): DecodedDeviceFilter {
  const decoded = decodeFilter(search.q, search.op);
  const kept = decoded.tokens.filter(isKnown);
  const text = kept
    .filter((token) => token.key === undefined)
    .map((token) => token.values.join(' '))
    .join(' ');
  const tokens = kept.flatMap((token): DeviceFilterToken[] => {
    if (token.key === undefined) return [];
    const key = token.key as DeviceFilterKey;
    return [{ key, operator: token.operator, values: token.values.slice(0, 100) }];
  });
  return {
    query: { tokens: kept, operation: decoded.operation },
    filter: {
      text: text.slice(0, 200),
      tokens: tokens.slice(0, 20),
      operation: decoded.operation,
      targetListId: UUID.test(search.targets) ? search.targets : null,
    },
    dropped: decoded.tokens.filter((token) => !isKnown(token)),
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isKnown({ key, operator, values }: FilterQueryToken): boolean {
  if (key === undefined) return operator === ':';
  if (!Object.hasOwn(operatorsByKey, key)) return false;
  if (!operatorsByKey[key as DeviceFilterKey].includes(operator)) return false;
  if (key === 'lastSeen' || key === 'added') return values.every(isMoment);
  if (key === 'metric' || key === 'newestMetric') return values.every(isMetricLimit);
  if (key === 'area') return values.every((value) => parseMapArea(value) !== undefined);
  // A typed name that was not chosen from the suggestions can be ambiguous.
  return key !== 'owner' || values.every((value) => UUID.test(value));
}

const AGE = /^-\d{1,5}[mhd]$/;

const isMoment = (value: string): boolean => AGE.test(value) || Number.isFinite(Date.parse(value));

/** Whether a filter is set. An empty list then means “no matches”, not “no devices”. */
export function isFiltered(search: DeviceFilterSearch): boolean {
  return search.q !== '' || search.targets !== '';
}
