import { sql, type SQL } from 'drizzle-orm';
import type { AirBlastPlanChanges } from '@deviceportal/contract/air-blast';
import { scopesOf } from '@deviceportal/contract/permissions';
import { effectChanges } from '../../commands/effect/effect-changes.ts';
import { deviceScopeCondition } from '../../devices/device-scope-condition.ts';
import { maskUser } from '../../people/mask-person.ts';
import { deviceRecords as device } from '../../devices/data/device-records.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { selectApprovals, type AirBlastRecord } from '../air-blast-store.ts';

/** So many devices are named on each side. */
const NAMED = 10;

/** What differs between the plan that was approved last and the present one; null where nothing does. */
export async function changesSinceApproval(
  executor: Executor,
  viewer: Viewer,
  run: AirBlastRecord,
): Promise<AirBlastPlanChanges | null> {
  const approved = (await selectApprovals(executor, run.id)).findLast(
    ({ decision, effect }) => decision === 'approved' && effect !== null,
  );
  if (approved === undefined || approved.effect === null || run.effect === null) return null;
  if (approved.planSha256 === run.planSha256) return null;
  return {
    by: maskUser(approved.by, viewer),
    at: approved.at.toISOString(),
    changes: effectChanges(approved.effect, run.effect),
    ...(await compareDevices(executor, viewer, { run, approvalId: approved.id })),
  };
}

type Compared = Omit<AirBlastPlanChanges, 'by' | 'at' | 'changes'>;

async function compareDevices(
  executor: Executor,
  viewer: Viewer,
  { run, approvalId }: { readonly run: AirBlastRecord; readonly approvalId: string },
): Promise<Compared> {
  const inScope = deviceScopeCondition(scopesOf(viewer.grants, ['devices:read']), device);
  const named = (which: SQL): SQL => sql`
    array(select coalesce(${device.serialNumber}, ${device.name}) from ${which} which
          join ${device} on ${device.deviceId} = which.id
          where ${inScope} order by 1 limit ${NAMED})`;
  const { rows } = await executor.execute(sql`
    with approved as materialized (
      select unnest(device_ids) as id from air_blast_approval where id = ${approvalId}),
    present as materialized (
      select t.device_id as id from air_blast_target t
      where t.air_blast_id = ${run.id} and t.revision = ${run.revision} and t.exclusion is null
        and not 'left-out' = any(coalesce(t.no_go, '{}'))),
    added as materialized (select id from present except select id from approved),
    removed as materialized (select id from approved except select id from present)
    select (select count(*)::int from added) as added, (select count(*)::int from removed) as removed,
           ${named(sql`added`)} as "addedDevices", ${named(sql`removed`)} as "removedDevices"`);
  return rows[0] as unknown as Compared;
}
