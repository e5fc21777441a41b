import { sql, type SQL } from 'drizzle-orm';
import { scopesOf, type Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import type { Viewer } from '../platform/viewer.ts';

/** Which people, as rows `p` of the person table, exist for a viewer and which of them are shown by name. */
export interface PersonSight {
  /** Who is limited to some devices sees only people who own one of them. */
  readonly exists: SQL;
  /** Name, e-mail and phone are shown; of everybody else they are masked. */
  readonly named: SQL;
  /** Everybody who exists is shown by name. */
  readonly namesAll: boolean;
}

export function personSightOf(viewer: Pick<Viewer, 'grants'>): PersonSight {
  const scopes = scopesOf(viewer.grants, ['people:read', 'devices:read']);
  const peopleScopes = scopesOf(viewer.grants, ['people:read']);
  return {
    exists: ownsDeviceWithin(scopes),
    named: ownsDeviceWithin(peopleScopes),
    namesAll:
      peopleScopes.some(isEverywhere) ||
      viewer.grants
        .filter((grant) => grant.permissions.includes('devices:read'))
        .every((grant) => grant.permissions.includes('people:read')),
  };
}

/** Whether the person in the row `p` owns a device in one of the scopes; without limits everybody does. */
export function ownsDeviceWithin(scopes: readonly Scope[]): SQL {
  if (scopes.some(isEverywhere)) return sql`true`;
  return sql`exists (select from device d where d.owner_id = p.id and ${deviceScopeCondition(scopes)})`;
}
