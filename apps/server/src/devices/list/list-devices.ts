import type { z } from 'zod';
import type { DeviceRow, listDevicesInput } from '@deviceportal/contract/devices';
import type { SearchPage } from '@deviceportal/contract/pages';
import type { Database } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { loadDeviceRows } from './load-device-rows.ts';
import { isoMoment } from './moment-text.ts';
import type { Position } from '../data/search/search-order.ts';
import { filterConditions } from '../data/search/filter-conditions.ts';
import { decodeSearchCursor, encodeSearchCursor } from '../data/search/search-cursor.ts';
import {
  searchBudgets,
  searchDevices,
  type SearchBudgets,
  type SearchResult,
} from '../data/search/search-devices.ts';

export type ListDevicesInput = z.infer<typeof listDevicesInput>;

/** A page of IDs with its cursor. */
export interface DeviceIdPage {
  readonly ids: readonly string[];
  readonly nextCursor: string | null;
  readonly complete: boolean;
  readonly searchedTo: string | null;
}

export interface ListDependencies {
  readonly database: Database;
  readonly clock: () => Date;
  /** Differs from `searchBudgets` only in tests of the strategies. */
  readonly budgets?: SearchBudgets;
}

export async function listDevices(
  deps: ListDependencies,
  viewer: Viewer,
  input: ListDevicesInput,
): Promise<SearchPage<DeviceRow>> {
  const page = await listDeviceIds(deps, viewer, input);
  const rows = await loadDeviceRows(deps.database.orm, viewer, page.ids);
  const { nextCursor, complete, searchedTo } = page;
  return { rows, nextCursor, complete, searchedTo };
}

export async function listDeviceIds(
  deps: ListDependencies,
  viewer: Viewer,
  input: Omit<ListDevicesInput, 'pageSize'> & { readonly pageSize: number },
): Promise<DeviceIdPage> {
  const cursor = input.cursor === null ? null : decodeSearchCursor(input.cursor, input);
  const budgets = deps.budgets ?? searchBudgets;
  const conditions = await filterConditions(deps.database.orm, viewer, {
    filter: input.filter,
    now: deps.clock(),
  });
  const result = await searchDevices(deps.database.orm, {
    conditions,
    ordering: {
      sort: input.sort,
      descending: input.descending,
      after: cursor === null ? null : { key: cursor.k, id: cursor.i },
    },
    // One more than the page contains, to know whether there is a next page.
    limit: input.pageSize + 1,
    budget: cursor?.w === true ? budgets.goingOn : budgets.first,
  });
  return toPage(result, input);
}

function toPage(
  result: SearchResult,
  input: Omit<ListDevicesInput, 'pageSize'> & { readonly pageSize: number },
): DeviceIdPage {
  const cursorBehind = (position: Position, patient: boolean) =>
    encodeSearchCursor({
      s: input.sort,
      d: input.descending,
      k: position.key,
      i: position.id,
      w: patient,
    });
  const hits = result.hits.slice(0, input.pageSize);
  const ids = hits.map((hit) => hit.id);
  const last = hits.at(-1);
  if (result.hits.length > input.pageSize && last !== undefined) {
    return { ids, nextCursor: cursorBehind(last, false), complete: true, searchedTo: null };
  }
  if (result.searchedTo === null) {
    return { ids, nextCursor: null, complete: true, searchedTo: null };
  }
  const { key } = result.searchedTo;
  return {
    ids,
    nextCursor: cursorBehind(result.searchedTo, true),
    complete: false,
    searchedTo: input.sort === 'lastSeen' ? (isoMoment(key) ?? key) : key,
  };
}
