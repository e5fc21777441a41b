import { permissionsBeyond } from '@deviceportal/contract/covers';
import type { AccessGrantBond } from '@deviceportal/contract/access-grants';
import { lockRunning } from '../data/access-grant-bonds.ts';
import type { Grant, Permission } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import type { Transaction } from '../../platform/database/database.ts';
import type { TemporaryGrant, Viewer } from '../../platform/viewer.ts';

/** Whether grants allow an act. */
export type IsEnough = (grants: readonly Grant[]) => boolean;

/**
 * The temporary access without which somebody could not do what they do now; null where their lasting roles allow it.
 * What is made by it ends with it. Its row stays locked until the transaction ends, so that it cannot end between the
 * look and the write.
 * @throws PortalError 1000 where it has ended meanwhile
 */
export async function findAccessGrantBehind(
  tx: Transaction,
  viewer: Viewer,
  isEnough: IsEnough,
): Promise<AccessGrantBond | null> {
  const { lasting, temporary = [] } = viewer;
  if (lasting === undefined || temporary.length === 0 || isEnough(lasting)) return null;
  const { accessGrantId } = chooseOne(lasting, temporary, isEnough);
  const found = await lockRunning(tx, accessGrantId);
  if (found === undefined) throw refuse('temporary-access-ended');
  return { accessGrantId, role: found.role, endsAt: found.endsAt.toISOString() };
}

/**
 * Refuses what would outlast temporary access and cannot end with it.
 * @throws PortalError 1000 where lasting roles do not allow it
 */
export function requireLasting({ lasting }: Viewer, isEnough: IsEnough): void {
  if (lasting === undefined || isEnough(lasting)) return;
  throw refuse('outlasts-temporary-access');
}

/** Whether grants allow one of the permissions wherever a viewer holds it. */
export const wherever =
  (viewer: Viewer, permissions: readonly Permission[]): IsEnough =>
  (grants) =>
    viewer.grants
      .filter((held) => permissions.some((each) => held.permissions.includes(each)))
      .every(({ scope }) =>
        permissions.some(
          (each) => permissionsBeyond(grants, { permissions: [each], scope }).length === 0,
        ),
      );

/**
 * Whether temporary access still runs; it stays locked until the transaction ends, and so cannot end before that.
 */
export async function lockRunningAccessGrant(tx: Transaction, id: string): Promise<boolean> {
  return (await lockRunning(tx, id)) !== undefined;
}

/** A moment, or the end of the temporary access if that is sooner. */
export function earlier(moment: Date, bond: Pick<AccessGrantBond, 'endsAt'> | null): Date {
  const isSooner = bond !== null && Date.parse(bond.endsAt) < moment.getTime();
  return isSooner ? new Date(bond.endsAt) : moment;
}

/** The one that lasts longest of those that are enough by themselves, else of all of them the one that ends first. */
function chooseOne(
  lasting: readonly Grant[],
  temporary: readonly TemporaryGrant[],
  isEnough: IsEnough,
): TemporaryGrant {
  const byEnd = temporary.toSorted((one, other) => Date.parse(one.until) - Date.parse(other.until));
  const chosen = byEnd.findLast((one) => isEnough([...lasting, one])) ?? byEnd[0];
  if (chosen === undefined) throw new Error('there is no temporary access');
  return chosen;
}
