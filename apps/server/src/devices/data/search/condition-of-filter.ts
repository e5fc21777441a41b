import { sql, type SQL } from 'drizzle-orm';
import type { DeviceFilter } from '@deviceportal/contract/devices';
import type { Executor } from '../../../platform/database/database.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import { idsOfSource } from './collect-source.ts';
import { filterConditions } from './filter-conditions.ts';
import { d } from './search-rows.ts';
import { cheapestCandidate, listCandidates } from './search-candidates.ts';

/** Up to this number, devices are looked up individually; otherwise whole tables are read. */
const FEW_DEVICES = 5_000;

/**
 * A filter within the viewer's scope as one condition on `d` (device) and `s` (device_status), for other statements
 * about the devices in the list.
 */
export async function conditionOfFilter(
  on: Executor,
  viewer: Viewer,
  request: { readonly filter: DeviceFilter; readonly now: Date },
): Promise<SQL> {
  const conditions = await filterConditions(on, viewer, request);
  const candidates = await listCandidates(on, conditions);
  const few = await cheapestCandidate(on, candidates, { sort: null, mostRows: FEW_DEVICES });
  const found = few === undefined ? sql`true` : sql`${d.id} = any(${idsOfSource(few.source)})`;
  const checked = (few?.conditions ?? conditions).map(({ where }) => sql`(${where})`);
  return sql.join([found, ...checked], sql` and `);
}
