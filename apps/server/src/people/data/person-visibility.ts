import type { SQL, SQLWrapper } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import { ownsDevice } from '../../devices/data/owns-device.ts';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** Which people exist for a viewer, and which of them are shown by name. */
export interface PersonVisibility {
  /** A viewer limited to some devices sees only people who own one of them. */
  readonly exists: SQL;
  /** Name, email, and phone number are shown; for other people they are masked. */
  readonly named: SQL;
}

/** @param personId of the row to which the conditions apply */
export function personVisibilityOf(
  viewer: Pick<Viewer, 'grants'>,
  personId: SQLWrapper,
): PersonVisibility {
  const scopes = scopesOf(viewer.grants, ['people:read', 'devices:read']);
  return {
    exists: ownsDevice(scopes, personId),
    named: ownsDevice(scopesOf(viewer.grants, ['people:read']), personId),
  };
}

/** Whether a viewer sees all people by name. */
export const seesAllPeople = ({ grants }: Pick<Viewer, 'grants'>): boolean =>
  scopesOf(grants, ['people:read']).some(isEverywhere);

/** Whether every person who exists for a viewer is shown by name. */
export const namesAllPeople = ({ grants }: Pick<Viewer, 'grants'>): boolean =>
  seesAllPeople({ grants }) ||
  grants
    .filter(({ permissions }) => permissions.includes('devices:read'))
    .every(({ permissions }) => permissions.includes('people:read'));
