import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import { ownsDevice } from '../../devices/data/owns-device.ts';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** Which people exist for a viewer and which of them are shown by name. */
export interface PersonSight {
  /** Who is limited to some devices sees only people who own one of them. */
  readonly exists: SQL;
  /** Name, e-mail and phone are shown; of everybody else they are masked. */
  readonly named: SQL;
  /** Everybody who exists is shown by name. */
  readonly namesAll: boolean;
}

/** For statements that are not built from the schema yet. */
const idOfRowP = sql`p.id`;

/** @param personId of the row that the conditions are for */
export function personSightOf(
  viewer: Pick<Viewer, 'grants'>,
  personId: SQLWrapper = idOfRowP,
): PersonSight {
  const scopes = scopesOf(viewer.grants, ['people:read', 'devices:read']);
  const peopleScopes = scopesOf(viewer.grants, ['people:read']);
  return {
    exists: ownsDevice(scopes, personId),
    named: ownsDevice(peopleScopes, personId),
    namesAll:
      peopleScopes.some(isEverywhere) ||
      viewer.grants
        .filter((grant) => grant.permissions.includes('devices:read'))
        .every((grant) => grant.permissions.includes('people:read')),
  };
}
