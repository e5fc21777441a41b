import { sql, type SQL } from 'drizzle-orm';
import { scopeReaches } from '../../devices/data/scope-reaches.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { OpenInvocation } from './end-invocations.ts';

/** So many at once; what is left is found by the next look at the run. */
const LIMIT = 5_000;

/**
 * Which of a run's invocations the person who made the run may no longer send: their account is not active, or no role
 * that they hold now, for good or for a time, allows the command on that device. One statement for all of them; they are locked. People
 * who are not on record here, such as the portal itself, are not looked at.
 */
export async function findBeyondRight(
  tx: Transaction,
  runId: string,
  which: SQL,
): Promise<OpenInvocation[]> {
  const { rows } = await tx.execute<OpenInvocation & Record<string, unknown>>(sql`
    with run as materialized (
      select u.id as user_id, u.status,
             array['commands:run:@' || r.consequence]
               || case when c.document_name = r.document_name then array['commands:run:' || r.command] end as wanted,
             u.in_admin_group
      from command_run r join portal_user u on u.id = r.created_by_id
      left join command_definition c on c.command = r.command
      where r.id = ${runId}),
    held as materialized (
      select h.scope from run join held_grant h on h.user_id = run.user_id
      where run.status = 'Activated' and h.permissions ?| run.wanted
      union all
      select role.scope from run join role on lower(role.name) = 'administrator' and role.builtin
      where run.status = 'Activated' and run.in_admin_group and role.permissions ?| run.wanted)
    select i.id, i.run_id, i.device_id, 'Pending' as state
    from run, invocation i join device d on d.id = i.device_id
    where i.run_id = ${runId} and i.ended_at is null and ${which}
      and not exists (select from held where ${scopeReaches(sql`held.scope`, sql`d`)})
    order by i.id limit ${LIMIT} for update of i skip locked`);
  return rows;
}
