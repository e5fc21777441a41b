import { sql, type SQL } from 'drizzle-orm';
import type { LiveChange } from '@deviceportal/contract/live-channel';
import type { Scope } from '@deviceportal/contract/permissions';
import { findInvocationStates } from '../commands/data/invocation-queries.ts';
import { findRunStates } from '../commands/data/run-queries.ts';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import type { Database } from '../platform/database/database.ts';

type Kind<Name extends LiveChange['kind']> = Extract<LiveChange, { kind: Name }>;

/** States of what is asked for, as far as the scopes reach now. */
export interface StatesQuestion {
  readonly ids: ReadonlySet<string>;
  readonly scopes: readonly Scope[];
}

const among = (ids: Iterable<string>): SQL =>
  sql`(select value::uuid from jsonb_array_elements_text(${JSON.stringify([...ids])}::jsonb))`;

const isoOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : new Date(value as string).toISOString();

/** Whether the device of a row is in scope; costs nothing where all are. */
const seen = (scopes: readonly Scope[], deviceId: SQL): SQL =>
  scopes.some(isEverywhere)
    ? sql`true`
    : sql`exists (select from device d where d.id = ${deviceId} and ${deviceScopeCondition(scopes)})`;

/** How devices are connected now. */
export async function readDeviceStates(
  { orm }: Pick<Database, 'orm'>,
  { ids, scopes }: StatesQuestion,
): Promise<Map<string, Kind<'device-status'>>> {
  if (ids.size === 0) return new Map();
  const result = await orm.execute<Record<string, unknown>>(sql`
    select s.device_id, s.connectivity, s.connectivity_since, s.last_seen_at, s.disconnect_reason, s.failing
    from device_status s where s.device_id in ${among(ids)} and ${seen(scopes, sql`s.device_id`)}`);
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

/** Runs with the counts of those of their devices that are in scope; without such a device there is no run. */
export async function readRunStates(
  { orm }: Pick<Database, 'orm'>,
  { ids, scopes }: StatesQuestion,
): Promise<Map<string, Kind<'run'>>> {
  if (ids.size === 0) return new Map();
  const rows = await findRunStates(orm, scopes, [...ids]);
  return new Map(rows.map((row) => [row.id, { kind: 'run', ...row }]));
}

export async function readInvocationStates(
  { orm }: Pick<Database, 'orm'>,
  { ids, scopes }: StatesQuestion,
): Promise<Map<string, Kind<'invocation'>>> {
  if (ids.size === 0) return new Map();
  const rows = await findInvocationStates(orm, scopes, [...ids]);
  return new Map(rows.map((row) => [row.id, { kind: 'invocation', ...row }]));
}
