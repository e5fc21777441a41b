import { sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';

/** How a command ended on a device. */
export interface CommandResult {
  readonly invocationId: string;
  readonly command: string;
  readonly state: string;
  readonly statusDetails: string;
  readonly responseCode: number | null;
  readonly endedAt: Date;
}

/** Of the newest commands of a device, those that have ended are looked through. */
const LOOKED_THROUGH = 12;

/** The last commands that ended on these devices, newest first, in one statement. */
export async function lastResults(
  on: Executor,
  deviceIds: readonly string[],
  count: number,
): Promise<ReadonlyMap<string, readonly CommandResult[]>> {
  const { rows } = await on.execute<{
    device_id: string;
    results: (Omit<CommandResult, 'endedAt'> & { endedAt: string })[];
  }>(sql`
    select w.id as device_id, found.results
    from unnest(${sql.param([...deviceIds])}::uuid[]) as w(id)
    cross join lateral (
      select jsonb_agg(jsonb_build_object('invocationId', e.id, 'command', r.command, 'state', e.state,
        'statusDetails', e.status_details, 'responseCode', e.response_code, 'endedAt', e.ended_at)
        order by e.queued_at desc, e.id desc) as results
      from (
        select * from (
          select id, run_id, state, status_details, response_code, ended_at, queued_at from invocation i
          where i.device_id = w.id order by i.queued_at desc, i.id desc limit ${LOOKED_THROUGH}) newest
        where ended_at is not null order by queued_at desc, id desc limit ${count}) e
      join command_run r on r.id = e.run_id) found
    where found.results is not null`);
  return new Map(
    rows.map((row) => [
      row.device_id,
      row.results.map((result) => ({ ...result, endedAt: new Date(result.endedAt) })),
    ]),
  );
}
