import type { MadeByElevation } from '@deviceportal/contract/elevations';
import { findSchedulesOfElevation } from '../commands/schedules/find-schedules-of-elevation.ts';
import { findClaimsOfElevation } from '../devices/claims/find-claims-of-elevation.ts';
import type { Database } from '../platform/database/database.ts';
import type { ProviderAdminDeps } from '../provider-admin/provider-admin-deps.ts';
import { findSharesOfElevation } from '../reports/sharing/find-shares-of-elevation.ts';

/**
 * Finds all objects that were created with temporary access, in all domain modules, newest first.
 */
export async function findMadeByElevation(
  { database, provider }: { readonly database: Database } & Pick<ProviderAdminDeps, 'provider'>,
  elevationId: string,
): Promise<readonly MadeByElevation[]> {
  const { orm } = database;
  const keys = (await provider?.administration.accessKeys.listOfLease(elevationId)) ?? [];
  const made = [
    ...(await findClaimsOfElevation(orm, elevationId)),
    ...(await findSchedulesOfElevation(orm, elevationId)),
    ...(await findSharesOfElevation(orm, elevationId)),
    ...keys.map(({ accessKeyId: id, createdAt: at, ended, name, revokedAt }) => ({
      ...{ kind: 'access-key' as const, id, name, at },
      inForce: revokedAt === null && !ended,
    })),
  ];
  return made.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
