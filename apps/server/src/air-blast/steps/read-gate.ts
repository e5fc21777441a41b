import { sql } from 'drizzle-orm';
import type { AirBlastGate, AirBlastReport } from '@deviceportal/contract/air-blast';
import { limitOf } from '../../commands/execution/run-state-machine.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AirBlastRecord } from '../air-blast-store.ts';

/** The value by which the present step is judged, and its limit, as they are now. */
export async function readGate(
  executor: Executor,
  run: AirBlastRecord,
  report: AirBlastReport,
): Promise<AirBlastGate | null> {
  const { successPercent, maxErrors } = run.options;
  const must = (total: number): number => Math.ceil((successPercent * total) / 100);
  if (run.step === 'canary') {
    const { total, ended, success } = await countCanaries(executor, run);
    return { kind: 'canary', total, ended, value: success, limit: must(total) };
  }
  if (run.step === 'blast') {
    const { total, ended, errors } = await countWaves(executor, run);
    return { kind: 'blast', total, ended, value: errors, limit: limitOf(maxErrors, total, 0) };
  }
  if (run.step !== 'verify') return null;
  const total = report.asIntended + report.different;
  const value = report.asIntended;
  return { kind: 'verify', total, ended: total, value, limit: must(total) };
}

interface Counted {
  readonly total: number;
  readonly ended: number;
  readonly success: number;
  readonly errors: number;
}

const counts = sql`count(*) filter (where v.ended_at is not null)::int as ended,
  count(*) filter (where v.state = 'Success')::int as success,
  count(*) filter (where v.state = 'Failed' or v.status_details = 'Execution Timed Out')::int as errors`;

async function countCanaries(
  executor: Executor,
  { id, revision }: AirBlastRecord,
): Promise<Counted> {
  const { rows } = await executor.execute(sql`
    select count(*)::int as total, ${counts}
    from air_blast_target t left join invocation v on v.run_id = t.run_id and v.device_id = t.device_id
    where t.air_blast_id = ${id} and t.revision = ${revision} and t.canary`);
  return rows[0] as unknown as Counted;
}

/** Over the waves of the present attempt, those that are not open yet included in the total. */
async function countWaves(
  executor: Executor,
  { id, revision, step, attempt }: AirBlastRecord,
): Promise<Counted> {
  const { rows } = await executor.execute(sql`
    with wave as (
      select run_id, cardinality(device_ids) as devices from air_blast_wave
      where air_blast_id = ${id} and revision = ${revision} and step = ${step} and attempt = ${attempt})
    select coalesce((select sum(devices)::int from wave), 0) as total, ${counts}
    from invocation v where v.run_id in (select run_id from wave)`);
  return rows[0] as unknown as Counted;
}
