import { sql, type SQL } from 'drizzle-orm';
import type { Watch } from '@deviceportal/contract/live-channel';
import { scopesOf, type Grant, type PlainPermission } from '@deviceportal/contract/permissions';
import type { ParameterVault } from '../commands/parameter-vault.ts';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import type { Database } from '../platform/database/database.ts';

/** What a viewer watches and may see. */
export interface Interests {
  readonly devices: ReadonlySet<string>;
  readonly runs: ReadonlySet<string>;
  /** With the texts that must not show in their output. */
  readonly invocations: ReadonlyMap<string, readonly string[]>;
  readonly auditDevices: ReadonlySet<string>;
  /** The whole trail: everywhere, within a scope, or not at all. */
  readonly auditTrail: 'everywhere' | 'in-scope' | 'none';
  readonly fleet: boolean;
}

export const noInterests: Interests = {
  devices: new Set(),
  runs: new Set(),
  invocations: new Map(),
  auditDevices: new Set(),
  auditTrail: 'none',
  fleet: false,
};

export interface InterestsDependencies {
  readonly database: Pick<Database, 'orm'>;
  readonly vault: Pick<ParameterVault, 'secretTexts'>;
}

/** The scope of a permission as a condition on the device table `d`. */
export const scopeOf = (grants: readonly Grant[], permission: PlainPermission): SQL =>
  deviceScopeCondition(scopesOf(grants, [permission]));

/** Of what a viewer asks to watch, what exists within the scopes in which it may be read. */
export async function resolveInterests(
  deps: InterestsDependencies,
  grants: readonly Grant[],
  watches: readonly Watch[],
): Promise<Interests> {
  const idsOf = (kind: 'devices' | 'run' | 'invocation'): string[] =>
    watches.flatMap((watch) => {
      if (watch.kind !== kind) return [];
      return 'ids' in watch ? watch.ids : [(watch as { id: string }).id];
    });
  const trails = watches.flatMap((watch) => (watch.kind === 'audit-trail' ? [watch.deviceId] : []));
  const auditScopes = scopesOf(grants, ['audit-trail:read']);
  const [devices, auditDevices, runs, invocations] = await Promise.all([
    findDevices(deps, idsOf('devices'), scopeOf(grants, 'devices:read')),
    findDevices(
      deps,
      trails.filter((id) => id !== null),
      scopeOf(grants, 'audit-trail:read'),
    ),
    findRuns(deps, idsOf('run'), scopeOf(grants, 'commands:read')),
    findInvocations(deps, idsOf('invocation'), scopeOf(grants, 'commands:read')),
  ]);
  const wantsTrail = trails.includes(null) && auditScopes.length > 0;
  const seesAll = auditScopes.some(isEverywhere);
  return {
    devices: new Set(devices),
    auditDevices: new Set(auditDevices),
    runs: new Set(runs),
    invocations: new Map(invocations),
    auditTrail: wantsTrail ? (seesAll ? 'everywhere' : 'in-scope') : 'none',
    fleet:
      watches.some(({ kind }) => kind === 'fleet') && scopesOf(grants, ['devices:read']).length > 0,
  };
}

const among = (ids: readonly string[]): SQL =>
  sql`(select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;

export async function findDevices(
  { database }: Pick<InterestsDependencies, 'database'>,
  ids: readonly string[],
  scope: SQL,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const result = await database.orm.execute<{ id: string }>(
    sql`select d.id from device as d where d.id in ${among(ids)} and ${scope}`,
  );
  return result.rows.map(({ id }) => id);
}

/** A run is seen by whoever sees one of its devices. */
async function findRuns(
  { database }: InterestsDependencies,
  ids: readonly string[],
  scope: SQL,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const result = await database.orm.execute<{ id: string }>(sql`
    select run.id from command_run as run where run.id in ${among(ids)} and exists (
      select from invocation join device as d on d.id = invocation.device_id
      where invocation.run_id = run.id and ${scope})`);
  return result.rows.map(({ id }) => id);
}

async function findInvocations(
  { database, vault }: InterestsDependencies,
  ids: readonly string[],
  scope: SQL,
): Promise<[string, readonly string[]][]> {
  if (ids.length === 0) return [];
  const result = await database.orm.execute<{
    id: string;
    run_id: string;
    parameters: Record<string, unknown>;
  }>(sql`
    select invocation.id, run.id as run_id, run.parameters
    from invocation join command_run as run on run.id = invocation.run_id
      join device as d on d.id = invocation.device_id
    where invocation.id in ${among(ids)} and ${scope}`);
  return result.rows.map((row) => [row.id, vault.secretTexts(row.run_id, row.parameters)]);
}
