import type { PortalError } from '@deviceportal/contract/errors';
import { reaches, type Permission } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import type { Viewer } from '../platform/viewer.ts';

type Scoped = Parameters<typeof reaches>[1];

interface ScopedChange {
  readonly before: Scoped;
  readonly after: Scoped;
}

const NAMED = 5;

/** Permissions on a device that a user would gain by changing its country, model, or labels. */
export function gainedPermissions(
  { grants }: Pick<Viewer, 'grants'>,
  { before, after }: ScopedChange,
): readonly Permission[] {
  const heldOn = (device: Scoped): Set<Permission> =>
    new Set(
      grants
        .filter(({ scope }) => reaches([scope], device))
        .flatMap(({ permissions }) => permissions),
    );
  const held = heldOn(before);
  return [...heldOn(after)].filter((permission) => !held.has(permission));
}

/**
 * Prevents a user from gaining permissions on a device by changing its country, model, or labels.
 * @throws PortalError 1000 with the permissions that the user would gain
 */
export function requireNoGainedPermissions(
  viewer: Pick<Viewer, 'grants'>,
  change: ScopedChange,
): void {
  const gained = gainedPermissions(viewer, change);
  if (gained.length === 0) return;
  throw permissionsGainedError(gained);
}

/** Contains the first of the permissions. */
export function permissionsGainedError(gained: readonly Permission[]): PortalError {
  return refuse('reach-gained', { facts: { permission: gained.slice(0, NAMED).join(', ') } });
}
