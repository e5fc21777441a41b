import { scopesOf } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import type { Viewer } from '../../platform/viewer.ts';

/**
 * People belong to no country or model: who they are is visible through their devices. Only users who manage all of them
 * can add them.
 * @throws PortalError 1000
 */
export function requireAllPeople({ grants }: Pick<Viewer, 'grants'>): void {
  for (const permission of ['people:manage', 'people:read'] as const) {
    if (scopesOf(grants, [permission]).some(isEverywhere)) continue;
    throw refuse('people-import-needs-all-devices', { facts: { permission } });
  }
}
