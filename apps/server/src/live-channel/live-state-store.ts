import type { LiveChange } from '@deviceportal/contract/live-channel';
import type { Scope } from '@deviceportal/contract/permissions';
import { findInvocationStates } from '../commands/data/invocation-queries.ts';
import { findRunStates } from '../commands/data/runs/run-queries.ts';
import { findConnectionStates } from '../devices/data/connections/connected-devices.ts';
import type { Database } from '../platform/database/database.ts';

type Kind<Name extends LiveChange['kind']> = Extract<LiveChange, { kind: Name }>;

/** The requested states and the current scopes. */
export interface StatesRequest {
  readonly ids: ReadonlySet<string>;
  readonly scopes: readonly Scope[];
}

/** Current connectivity of devices. */
export async function readDeviceStates(
  { orm }: Pick<Database, 'orm'>,
  { ids, scopes }: StatesRequest,
): Promise<Map<string, Kind<'device-status'>>> {
  if (ids.size === 0) return new Map();
  const rows = await findConnectionStates(orm, scopes, [...ids]);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...row,
        kind: 'device-status',
        connectivitySince: row.connectivitySince?.toISOString() ?? null,
        lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
      },
    ]),
  );
}

/** Runs with the counts of their devices in scope; a run without such a device is omitted. */
export async function readRunStates(
  { orm }: Pick<Database, 'orm'>,
  { ids, scopes }: StatesRequest,
): Promise<Map<string, Kind<'run'>>> {
  if (ids.size === 0) return new Map();
  const rows = await findRunStates(orm, scopes, [...ids]);
  return new Map(rows.map((row) => [row.id, { kind: 'run', ...row }]));
}

export async function readInvocationStates(
  { orm }: Pick<Database, 'orm'>,
  { ids, scopes }: StatesRequest,
): Promise<Map<string, Kind<'invocation'>>> {
  if (ids.size === 0) return new Map();
  const rows = await findInvocationStates(orm, scopes, [...ids]);
  return new Map(rows.map((row) => [row.id, { kind: 'invocation', ...row }]));
}
