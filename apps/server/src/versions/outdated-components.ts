import { sql } from 'drizzle-orm';
import type { TavState } from '@deviceportal/contract/states';
import type { Executor } from '../platform/database/database.ts';
import { nearestApproval } from './software-store.ts';

/** What a device runs that is behind what is approved for it, or blocked. */
export interface OutdatedComponent {
  readonly component: string;
  readonly version: string;
  readonly state: TavState;
  /** Null where nothing is approved for this model and country. */
  readonly approved: string | null;
  readonly approvedAt: Date | null;
  readonly mandatoryFrom: Date | null;
}

interface OutdatedRow extends Record<string, unknown> {
  readonly device_id: string;
  readonly component: string;
  readonly version: string;
  readonly state: TavState;
  readonly approved: string | null;
  readonly approved_at: string | null;
  readonly mandatory_from: string | null;
}

/** Of these devices, in one statement: devices that are up to date are not in the answer. */
export async function outdatedComponents(
  on: Executor,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, readonly OutdatedComponent[]>> {
  const approval = nearestApproval({
    component: sql`v.component`,
    model: sql`coalesce(d.model, '')`,
    country: sql`coalesce(d.country, '')`,
  });
  const { rows } = await on.execute<OutdatedRow>(sql`
    select d.id as device_id, v.component, v.version, c.state, a.version as approved, a.approved_at, a.mandatory_from
    from device d
    join device_version v on v.device_id = d.id
    join version_cell c on c.component = v.component and c.version = v.version
      and c.model = coalesce(d.model, '') and c.country = coalesce(d.country, '')
    left join lateral (${approval}) a on true
    where d.id = any(${sql.param([...deviceIds])}::uuid[]) and c.state in ('behind', 'blocked')
    order by v.component`);
  const found = new Map<string, OutdatedComponent[]>();
  for (const { device_id: deviceId, approved_at: approvedAt, ...row } of rows) {
    const { component, version, state, approved, mandatory_from: mandatoryFrom } = row;
    const item = {
      ...{ component, version, state, approved },
      approvedAt: approvedAt === null ? null : new Date(approvedAt),
      mandatoryFrom: mandatoryFrom === null ? null : new Date(mandatoryFrom),
    };
    found.set(deviceId, [...(found.get(deviceId) ?? []), item]);
  }
  return found;
}
