import { sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../platform/database/database.ts';
import type { RhythmEvent } from './device-rhythm.ts';

export interface Progress {
  /** The last sequence of the trail that was followed. */
  readonly sealedUpTo: number;
  /** The last device of a look at all; null when none is under way. */
  readonly sweptTo: string | null;
  readonly swept: number;
  readonly sweepEndedAt: Date | null;
}

/** Before every device: where a look at all begins. */
export const sweepStart = '00000000-0000-0000-0000-000000000000';

export async function loadProgress(on: Executor): Promise<Progress | undefined> {
  const { rows } = await on.execute<{
    sealed_up_to: number;
    swept_to: string | null;
    swept: number;
    sweep_ended_at: string | null;
  }>(
    sql`select sealed_up_to::float8 as sealed_up_to, swept_to, swept, sweep_ended_at from finding_progress`,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    sealedUpTo: row.sealed_up_to,
    sweptTo: row.swept_to,
    swept: row.swept,
    sweepEndedAt: row.sweep_ended_at === null ? null : new Date(row.sweep_ended_at),
  };
}

export async function saveProgress(tx: Transaction, progress: Progress): Promise<void> {
  const { sealedUpTo, sweptTo, swept, sweepEndedAt } = progress;
  await tx.execute(sql`
    insert into finding_progress (id, sealed_up_to, swept_to, swept, sweep_ended_at)
    values (1, ${sealedUpTo}, ${sweptTo}, ${swept}, ${sweepEndedAt?.toISOString() ?? null})
    on conflict (id) do update set sealed_up_to = excluded.sealed_up_to, swept_to = excluded.swept_to,
      swept = excluded.swept, sweep_ended_at = excluded.sweep_ended_at`);
}

/** Whether this process alone moves findings on until its transaction ends. */
export async function takeTurn(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.execute<{ held: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('move-findings')) as held`,
  );
  return rows[0]?.held === true;
}

export async function lastSealed(on: Executor): Promise<number> {
  const { rows } = await on.execute<{ sequence: number }>(
    sql`select coalesce(max(last_sequence), 0)::float8 as sequence from audit_block`,
  );
  return rows[0]?.sequence ?? 0;
}

export interface TrailEvent extends RhythmEvent {
  readonly sequence: number;
  /** A success where no failure is on record: most of what a command to many devices tells, and nothing turns by it. */
  readonly quiet: boolean;
  readonly deviceId: string | null;
}

/**
 * What was sealed next. The trail tells of every change that a rule looks at, in an order that no late commit
 * disturbs: following it costs those who write nothing.
 */
export async function readTrail(
  on: Executor,
  after: number,
  limit: number,
): Promise<readonly TrailEvent[]> {
  const { rows } = await on.execute<{
    sequence: number;
    device_id: string | null;
    type: string;
    at: string;
    quiet: boolean;
    data: Record<string, unknown>;
  }>(sql`
    select s.sequence::float8 as sequence, e.device_id, e.type, coalesce(e.data ->> 'occurredAt', e.at::text) as at,
      e.type = 'command.finished' and e.data ->> 'state' = 'Success' and not exists (
        select from finding f where f.rule = 'repeated-failures' and f.device_id = e.device_id) as quiet,
      case when e.type = 'device-event.service-crashed' then e.data else '{}'::jsonb end as data
    from (
      select b.first_sequence + u.position - 1 as sequence, u.event_id
      from audit_block b cross join lateral unnest(b.event_ids) with ordinality as u(event_id, position)
      where b.last_sequence > ${after} and b.first_sequence + u.position - 1 > ${after}
      order by b.last_sequence, u.position limit ${limit}) s
    join audit_event e on e.id = s.event_id order by s.sequence`);
  return rows.map(({ device_id: deviceId, at, ...row }) => ({
    ...row,
    deviceId,
    at: new Date(at),
  }));
}

export async function dueDevices(on: Executor, now: Date, limit: number): Promise<string[]> {
  const { rows } = await on.execute<{ device_id: string }>(sql`
    select device_id from finding_check where due_at <= ${now.toISOString()}::timestamptz
    order by due_at limit ${limit}`);
  return rows.map((row) => row.device_id);
}

export async function devicesAfter(on: Executor, id: string, limit: number): Promise<string[]> {
  const { rows } = await on.execute<{ id: string }>(
    sql`select id from device where id > ${id}::uuid order by id limit ${limit}`,
  );
  return rows.map((row) => row.id);
}
