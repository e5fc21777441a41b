import { sql, type SQL } from 'drizzle-orm';
import { deviceConnections as connection } from '../devices/data/device-connections.ts';
import type { Executor } from '../platform/database/database.ts';
import type { AirBlastRecord } from './air-blast-store.ts';

type Doing = Pick<AirBlastRecord, 'id' | 'revision' | 'step' | 'attempt'>;

/** What the waves under way wait for because its device is away now. */
const awayIn = ({ id, revision, step, attempt }: Doing): SQL => sql`
  from air_blast_wave w
  join invocation i on i.run_id = w.run_id
  left join ${connection} on ${connection.deviceId} = i.device_id
  where w.air_blast_id = ${id} and w.revision = ${revision} and w.step = ${step} and w.attempt = ${attempt}
    and w.ended_at is null and i.ended_at is null and i.state in ('Pending', 'Delayed')
    and coalesce(${connection.connectivity}, 'never') not in ('online', 'degraded')`;

/** How many devices the step under way waits for that are away. */
export async function countAway(executor: Executor, run: Doing): Promise<number> {
  const { rows } = await executor.execute(sql`select count(*)::int as count ${awayIn(run)}`);
  return (rows[0] as { count: number }).count;
}

/** Their invocations. */
export async function selectAway(executor: Executor, run: Doing): Promise<string[]> {
  const { rows } = await executor.execute(sql`select i.id ${awayIn(run)} order by i.id`);
  return (rows as unknown as { id: string }[]).map(({ id }) => id);
}
