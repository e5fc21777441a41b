import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '../platform/database/database.ts';
import { defineJob } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';

interface Deps {
  readonly database: Pick<Database, 'orm'>;
  readonly clock: () => Date;
}

/**
 * Writes down how the fleet is: one row for each hour, country and model. Within its hour the last one stays, so that
 * several servers, or one that starts again, count nothing twice.
 */
export async function recordFleetTrend({ database, clock }: Deps): Promise<void> {
  await database.orm.execute(sql`
    insert into fleet_trend (at, country, model, devices, online, with_findings)
    select date_trunc('hour', ${clock().toISOString()}::timestamptz, 'UTC'), coalesce(s.country, ''), coalesce(s.model, ''),
      count(*), count(*) filter (where s.connectivity in ('online', 'degraded')), count(f.device_id)
    from device_status s
    left join (select device_id from finding group by device_id) f on f.device_id = s.device_id
    where s.lifecycle = 'active'
    group by 2, 3
    on conflict (at, country, model) do update
      set devices = excluded.devices, online = excluded.online, with_findings = excluded.with_findings`);
}

/** Every quarter of an hour: a fleet that has just been set up has its first point soon. */
export function scheduleFleetTrend(deps: Deps & { readonly jobs: Jobs }): void {
  const record = defineJob('fleet-trend-record', z.object({}), () => recordFleetTrend(deps));
  deps.jobs.define(record);
  deps.jobs.schedule(record, '*/15 * * * *', {});
}
