import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Permission, Scope } from '@deviceportal/contract/permissions';
import type { Executor } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { deviceScopeCondition } from './device-scope-condition.ts';
import type { Predicate } from './search/device-predicate.ts';
import { scopePredicate } from './search/scope-predicate.ts';
import { d } from './search/search-rows.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';

/** A device by ID, or by serial number in uppercase. */
export type DeviceReference = { readonly id: string } | { readonly serialNumber: string };

/** The ID of a device that is in the scope of one of the permissions. */
export async function findDeviceWithin(
  on: Executor,
  viewer: Pick<Viewer, 'grants'>,
  permissions: readonly Permission[],
  reference: DeviceReference,
): Promise<string | undefined> {
  const [found] = await on
    .select({ id: d.id })
    .from(d)
    .where(
      and(
        'id' in reference ? eq(d.id, reference.id) : eq(d.serialNumber, reference.serialNumber),
        reachedBy(scopePredicate(viewer.grants, permissions)),
      ),
    );
  return found?.id;
}

/** Those of the devices that are visible to the viewer. */
export async function findDevicesWithin(
  on: Executor,
  viewer: Pick<Viewer, 'grants'>,
  ids: readonly string[],
): Promise<string[]> {
  const scope = scopePredicate(viewer.grants, ['devices:read']);
  const rows = await on
    .select({ id: d.id })
    .from(d)
    .where(and(isAnyOf(d.id, ids), reachedBy(scope)));
  return rows.map(({ id }) => id);
}

/** Those of the devices that are within the scopes. */
export async function findDevicesReached(
  on: Executor,
  scopes: readonly Scope[],
  ids: readonly string[],
): Promise<string[]> {
  const rows = await on
    .select({ id: d.id })
    .from(d)
    .where(and(isAnyOf(d.id, ids), deviceScopeCondition(scopes, d)));
  return rows.map(({ id }) => id);
}

export const reachedBy = (scope: Predicate | null): SQL | undefined =>
  scope === null ? undefined : sql`(${scope.where})`;
