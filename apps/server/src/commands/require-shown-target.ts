import { sql, type SQL } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { FrozenTarget } from './freeze-target.ts';

/** Of what came and what went, so many are named. */
const NAMED = 5;

export interface ShownTarget {
  readonly shown: string | null;
  readonly target: FrozenTarget;
  /** Its invocations have been written in this transaction. */
  readonly runId: string;
}

/**
 * Whoever was shown a set of devices runs on that set or on none.
 *
 * @throws PortalError 2004 when the target means other devices by now; facts say how many came (`added`) and went
 *   (`removed`), and the first of them by name, where the set that was shown is still known
 */
export async function requireShownTarget(
  tx: Transaction,
  viewer: Viewer,
  { shown, target, runId }: ShownTarget,
): Promise<void> {
  if (shown === null || shown === target.sha256) return;
  throw new PortalError('invalidParameters', {
    message: 'The devices have changed since they were shown',
    issues: [{ path: ['targetSha256'], message: 'is of other devices' }],
    facts: {
      devices: target.count,
      ...(await findDifference(tx, viewer, { shown, runId })),
    },
  });
}

interface Difference extends Record<string, string | number> {
  readonly added: number;
  readonly removed: number;
  readonly addedDevices: string;
  readonly removedDevices: string;
}

async function findDifference(
  tx: Transaction,
  viewer: Viewer,
  { shown, runId }: { readonly shown: string; readonly runId: string },
): Promise<Difference | undefined> {
  const inScope = deviceScopeCondition(scopesOf(viewer.grants, ['devices:read']));
  const named = (which: SQL): SQL => sql`
    (select string_agg(label, ', ' order by label) from (
       select coalesce(d.serial_number, d.name) as label from ${which} which join device d on d.id = which.id
       where ${inScope} order by label limit ${NAMED}) first)`;
  const { rows } = await tx.execute<Difference>(sql`
    with shown as materialized (
      select unnest(device_ids) as id from shown_target where sha256 = ${shown}),
    meant as materialized (select device_id as id from invocation where run_id = ${runId}),
    added as materialized (select id from meant except select id from shown),
    removed as materialized (select id from shown except select id from meant)
    select (select count(*)::int from added) as added, (select count(*)::int from removed) as removed,
           coalesce(${named(sql`added`)}, '') as "addedDevices",
           coalesce(${named(sql`removed`)}, '') as "removedDevices"
    where exists (select 1 from shown)`);
  return rows[0];
}
