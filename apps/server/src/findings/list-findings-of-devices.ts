import { sql } from 'drizzle-orm';
import type { FindingRule } from '@deviceportal/contract/finding-rules';
import type { FindingFacts, FindingSeverity } from '@deviceportal/contract/findings';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import type { Database } from '../platform/database/database.ts';
import { isoOf, isoOrNull } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { seesCommands, withoutCommands } from './facts-in-sight.ts';

export interface FindingOfDevice {
  readonly deviceId: string;
  readonly rule: FindingRule;
  readonly severity: FindingSeverity;
  readonly facts: FindingFacts;
  readonly openedAt: string;
  /** Null where it still holds. */
  readonly closedAt: string | null;
}

/** What was wrong with devices at some moment of a period. */
export async function listFindingsOfDevices(
  { database }: { readonly database: Database },
  viewer: Viewer,
  wanted: {
    readonly deviceIds: readonly string[];
    readonly from: string;
    readonly to: string;
    readonly limit: number;
  },
): Promise<FindingOfDevice[]> {
  const ids = sql`any(${sql.param([...wanted.deviceIds])}::uuid[])`;
  const { rows } = await database.orm.execute(sql`
    select f.device_id as "deviceId", f.rule, f.severity, f.facts, f.opened_at as "openedAt", f.closed_at as "closedAt",
      ${seesCommands(viewer)} as "seesCommands"
    from (
      select device_id, rule, severity, facts, opened_at, null::timestamptz as closed_at from finding
      where device_id = ${ids} and opened_at <= ${wanted.to}::timestamptz
      union all
      select device_id, rule, severity, facts, opened_at, closed_at from finding_history
      where device_id = ${ids} and opened_at <= ${wanted.to}::timestamptz and closed_at >= ${wanted.from}::timestamptz
    ) f join device d on d.id = f.device_id
    where ${deviceScopeCondition(scopesOf(viewer.grants, ['devices:read']))}
    order by f.closed_at desc nulls first, f.opened_at desc limit ${wanted.limit}`);
  const found = rows as unknown as (FindingOfDevice & { readonly seesCommands: boolean })[];
  return found.map(({ seesCommands: sees, facts, ...row }) => ({
    ...row,
    facts: sees ? facts : withoutCommands(row.rule, facts),
    openedAt: isoOf(row.openedAt),
    closedAt: isoOrNull(row.closedAt),
  }));
}
