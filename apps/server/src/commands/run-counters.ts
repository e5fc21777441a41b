import { sql, type SQL } from 'drizzle-orm';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';

export interface RunCountersSql {
  /** `RunCounters` as jsonb. */
  readonly counters: SQL;
  /** The number of targets. */
  readonly target: SQL;
  /** Stands behind `command_run r` in the from clause. */
  readonly join: SQL;
}

/**
 * Counters of a run `r` as somebody with these scopes sees them: devices outside do not exist. Who sees all devices
 * gets the counts that the run keeps; for others its invocations are counted.
 */
export function runCountersIn(scopes: readonly Scope[]): RunCountersSql {
  if (scopes.some(isEverywhere)) {
    const counters = sql`jsonb_build_object('target', r.target_count, 'pending', r.pending_count,
      'inProgress', r.in_progress_count, 'success', r.success_count, 'failed', r.failed_count,
      'timedOut', r.timed_out_count, 'cancelled', r.cancelled_count)`;
    return { counters, target: sql`r.target_count`, join: sql`` };
  }
  return {
    counters: sql`seen.counters`,
    target: sql`seen.target`,
    join: sql`cross join lateral (
      select count(*)::int as target, jsonb_build_object('target', count(*),
        'pending', count(*) filter (where i.state in ('Pending', 'Delayed')),
        'inProgress', count(*) filter (where i.state in ('InProgress', 'Cancelling')),
        'success', count(*) filter (where i.state = 'Success'),
        'failed', count(*) filter (where i.state = 'Failed'),
        'timedOut', count(*) filter (where i.state = 'TimedOut'),
        'cancelled', count(*) filter (where i.state = 'Cancelled')) as counters
      from invocation i join device d on d.id = i.device_id
      where i.run_id = r.id and ${deviceScopeCondition(scopes)}) seen`,
  };
}
