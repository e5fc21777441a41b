import type { Watch } from '@deviceportal/contract/live-channel';
import { scopesOf, type Grant, type Scope } from '@deviceportal/contract/permissions';
import { findVisibleCases } from '../cases/find-visible-cases.ts';
import { findInvocationParameters } from '../commands/data/invocation-queries.ts';
import { findRunsWithin } from '../commands/data/runs/run-queries.ts';
import type { ParameterVault } from '../commands/parameters/parameter-vault.ts';
import { findDevicesReached } from '../devices/data/find-devices.ts';
import { isEverywhere } from '../devices/is-everywhere.ts';
import type { Database } from '../platform/database/database.ts';

export interface InvocationInterest {
  readonly deviceId: string;
  /** Texts that must not appear in its output. */
  readonly secrets: readonly string[];
}

/** What a viewer watches and may see. */
export interface Interests {
  readonly devices: ReadonlySet<string>;
  readonly runs: ReadonlySet<string>;
  readonly invocations: ReadonlyMap<string, InvocationInterest>;
  readonly auditDevices: ReadonlySet<string>;
  /** The whole trail, within the viewer's scopes. */
  readonly auditTrail: boolean;
  readonly fleet: boolean;
  readonly cases: ReadonlySet<string>;
  /** The viewer's own notifications. */
  readonly notifications: boolean;
  readonly deviceScopes: readonly Scope[];
  readonly commandScopes: readonly Scope[];
  readonly auditScopes: readonly Scope[];
  /** Whether devices exist that the viewer may not see. */
  readonly isLimited: boolean;
}

export const noInterests: Interests = {
  devices: new Set(),
  runs: new Set(),
  invocations: new Map(),
  auditDevices: new Set(),
  auditTrail: false,
  fleet: false,
  cases: new Set(),
  notifications: false,
  deviceScopes: [],
  commandScopes: [],
  auditScopes: [],
  isLimited: true,
};

export interface InterestsDependencies {
  readonly database: Pick<Database, 'orm'>;
  readonly vault: Pick<ParameterVault, 'secretTexts'>;
}

/** Of what a viewer requests to watch, the items that exist and that the viewer may read. */
export async function resolveInterests(
  deps: InterestsDependencies,
  grants: readonly Grant[],
  watches: readonly Watch[],
): Promise<Interests> {
  const idsOf = (kind: 'devices' | 'run' | 'invocation' | 'case'): string[] =>
    watches.flatMap((watch) => {
      if (watch.kind !== kind) return [];
      return 'ids' in watch ? watch.ids : [(watch as { id: string }).id];
    });
  const trails = watches.flatMap((watch) => (watch.kind === 'audit-trail' ? [watch.deviceId] : []));
  const deviceScopes = scopesOf(grants, ['devices:read']);
  const commandScopes = scopesOf(grants, ['commands:read']);
  const auditScopes = scopesOf(grants, ['audit-trail:read']);
  const auditIds = trails.filter((id) => id !== null);
  const [devices, auditDevices, runs, invocations, cases] = await Promise.all([
    findDevices(deps, idsOf('devices'), deviceScopes),
    findDevices(deps, auditIds, auditScopes),
    findRunsWithin(deps.database.orm, commandScopes, idsOf('run')),
    findInvocations(deps, idsOf('invocation'), commandScopes),
    findVisibleCases(deps, { grants }, idsOf('case')),
  ]);
  return {
    devices: new Set(devices),
    auditDevices: new Set(auditDevices),
    runs: new Set(runs),
    invocations: new Map(invocations),
    auditTrail: trails.includes(null) && auditScopes.length > 0,
    cases: new Set(cases),
    fleet: watches.some(({ kind }) => kind === 'fleet') && deviceScopes.length > 0,
    notifications: watches.some(({ kind }) => kind === 'notifications'),
    deviceScopes,
    commandScopes,
    auditScopes,
    isLimited: [deviceScopes, commandScopes, auditScopes].some(
      (scopes) => !scopes.some(isEverywhere),
    ),
  };
}

/** The devices within the scopes. */
export async function findDevices(
  { database }: Pick<InterestsDependencies, 'database'>,
  ids: readonly string[],
  scopes: readonly Scope[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  return findDevicesReached(database.orm, scopes, ids);
}

async function findInvocations(
  { database, vault }: InterestsDependencies,
  ids: readonly string[],
  scopes: readonly Scope[],
): Promise<[string, InvocationInterest][]> {
  if (ids.length === 0) return [];
  const rows = await findInvocationParameters(database.orm, scopes, ids);
  return rows.map(({ id, deviceId, runId, parameters }) => [
    id,
    { deviceId, secrets: vault.secretTexts(runId, parameters) },
  ]);
}
