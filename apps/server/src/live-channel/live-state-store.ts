import { sql, type SQL } from 'drizzle-orm';
import type { LiveChange } from '@deviceportal/contract/live-channel';
import type { Database } from '../platform/database/database.ts';

type Kind<Name extends LiveChange['kind']> = Extract<LiveChange, { kind: Name }>;

const among = (ids: Iterable<string>): SQL =>
  sql`(select value::uuid from jsonb_array_elements_text(${JSON.stringify([...ids])}::jsonb))`;

const isoOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : new Date(value as string).toISOString();

/** How devices are connected now. */
export async function readDeviceStates(
  { orm }: Pick<Database, 'orm'>,
  ids: ReadonlySet<string>,
): Promise<Map<string, Kind<'device-status'>>> {
  if (ids.size === 0) return new Map();
  const result = await orm.execute<Record<string, unknown>>(sql`
    select device_id, connectivity, connectivity_since, last_seen_at, disconnect_reason, failing
    from device_status where device_id in ${among(ids)}`);
  return new Map(
    result.rows.map((row) => [
      row['device_id'] as string,
      {
        kind: 'device-status',
        id: row['device_id'] as string,
        connectivity: row['connectivity'] as Kind<'device-status'>['connectivity'],
        connectivitySince: isoOf(row['connectivity_since']),
        lastSeenAt: isoOf(row['last_seen_at']),
        disconnectReason: row['disconnect_reason'] as string | null,
        failing: row['failing'] as Kind<'device-status'>['failing'],
      },
    ]),
  );
}

export async function readRunStates(
  { orm }: Pick<Database, 'orm'>,
  ids: ReadonlySet<string>,
): Promise<Map<string, Kind<'run'>>> {
  if (ids.size === 0) return new Map();
  const result = await orm.execute<Record<string, unknown>>(sql`
    select id, state, status_details, target_count, pending_count, in_progress_count, success_count,
      failed_count, timed_out_count, cancelled_count
    from command_run where id in ${among(ids)}`);
  return new Map(
    result.rows.map((row) => [
      row['id'] as string,
      {
        kind: 'run',
        id: row['id'] as string,
        state: row['state'] as Kind<'run'>['state'],
        statusDetails: row['status_details'] as Kind<'run'>['statusDetails'],
        counters: {
          target: row['target_count'] as number,
          pending: row['pending_count'] as number,
          inProgress: row['in_progress_count'] as number,
          success: row['success_count'] as number,
          failed: row['failed_count'] as number,
          timedOut: row['timed_out_count'] as number,
          cancelled: row['cancelled_count'] as number,
        },
      },
    ]),
  );
}

export async function readInvocationStates(
  { orm }: Pick<Database, 'orm'>,
  ids: ReadonlySet<string>,
): Promise<Map<string, Kind<'invocation'>>> {
  if (ids.size === 0) return new Map();
  const result = await orm.execute<Record<string, unknown>>(sql`
    select id, run_id, state, status_details from invocation where id in ${among(ids)}`);
  return new Map(
    result.rows.map((row) => [
      row['id'] as string,
      {
        kind: 'invocation',
        id: row['id'] as string,
        runId: row['run_id'] as string,
        state: row['state'] as Kind<'invocation'>['state'],
        statusDetails: row['status_details'] as Kind<'invocation'>['statusDetails'],
      },
    ]),
  );
}
