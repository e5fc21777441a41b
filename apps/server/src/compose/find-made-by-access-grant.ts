import type { MadeByAccessGrant } from '@deviceportal/contract/access-grants';
import { findSchedulesOfAccessGrant } from '../commands/schedules/find-schedules-of-access-grant.ts';
import { findClaimsOfAccessGrant } from '../devices/claims/find-claims-of-access-grant.ts';
import type { Database } from '../platform/database/database.ts';
import type { ProviderAdminDeps } from '../provider-admin/provider-admin-deps.ts';
import { findSharesOfAccessGrant } from '../reports/sharing/find-shares-of-access-grant.ts';

/**
 * Finds all objects that were created with temporary access, in all domain modules, newest first.
 */
export async function findMadeByAccessGrant(
  { database, provider }: { readonly database: Database } & Pick<ProviderAdminDeps, 'provider'>,
  accessGrantId: string,
): Promise<readonly MadeByAccessGrant[]> {
  const { orm } = database;
  const keys = (await provider?.administration.accessKeys.listOfAccessGrant(accessGrantId)) ?? [];
  const made = [
    ...(await findClaimsOfAccessGrant(orm, accessGrantId)),
    ...(await findSchedulesOfAccessGrant(orm, accessGrantId)),
    ...(await findSharesOfAccessGrant(orm, accessGrantId)),
    ...keys.map(({ accessKeyId: id, createdAt: at, ended, name, revokedAt }) => ({
      ...{ kind: 'access-key' as const, id, name, at },
      inForce: revokedAt === null && !ended,
    })),
  ];
  return made.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
