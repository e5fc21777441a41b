import { permissionsBeyond } from '@deviceportal/contract/covers';
import type { AccessGrantBond } from '@deviceportal/contract/access-grants';
import { lockRunning } from '../data/access-grant-bonds.ts';
import type { Grant, Permission } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import type { Transaction } from '../../platform/database/database.ts';
import type { TemporaryGrant, Viewer } from '../../platform/viewer.ts';

/** Whether grants allow an action. */
export type GrantsSuffice = (grants: readonly Grant[]) => boolean;

/**
 * The temporary access without which the viewer could not perform an action; null if permanent roles allow it. Objects
 * that are created with it end with it. Its row stays locked until the transaction ends, so it cannot end between the
 * check and the write.
 * @throws PortalError 1000 if it has ended
 */
export async function findRequiredAccessGrant(
  tx: Transaction,
  viewer: Viewer,
  grantsSuffice: GrantsSuffice,
): Promise<AccessGrantBond | null> {
  const { lasting, temporary = [] } = viewer;
  if (lasting === undefined || temporary.length === 0 || grantsSuffice(lasting)) return null;
  const { accessGrantId } = chooseOne(lasting, temporary, grantsSuffice);
  const found = await lockRunning(tx, accessGrantId);
  if (found === undefined) throw refuse('temporary-access-ended');
  return { accessGrantId, role: found.role, endsAt: found.endsAt.toISOString() };
}

/**
 * Rejects actions whose effect would outlast temporary access and cannot be ended with it.
 * @throws PortalError 1000 if permanent roles do not allow the action
 */
export function requirePermanentGrant({ lasting }: Viewer, grantsSuffice: GrantsSuffice): void {
  if (lasting === undefined || grantsSuffice(lasting)) return;
  throw refuse('outlasts-temporary-access');
}

/** Whether grants allow one of the permissions in every scope in which the viewer has it. */
export const wherever =
  (viewer: Viewer, permissions: readonly Permission[]): GrantsSuffice =>
  (grants) =>
    viewer.grants
      .filter((held) => permissions.some((each) => held.permissions.includes(each)))
      .every(({ scope }) =>
        permissions.some(
          (each) => permissionsBeyond(grants, { permissions: [each], scope }).length === 0,
        ),
      );

/**
 * Whether temporary access is in effect. The row stays locked until the transaction ends, so it cannot end before that.
 */
export async function lockRunningAccessGrant(tx: Transaction, id: string): Promise<boolean> {
  return (await lockRunning(tx, id)) !== undefined;
}

/** A moment, or the end of the temporary access if that is earlier. */
export function earlier(moment: Date, bond: Pick<AccessGrantBond, 'endsAt'> | null): Date {
  const isSooner = bond !== null && Date.parse(bond.endsAt) < moment.getTime();
  return isSooner ? new Date(bond.endsAt) : moment;
}

/** Of the grants that are sufficient individually, the one that expires last; otherwise the one that expires first. */
function chooseOne(
  lasting: readonly Grant[],
  temporary: readonly TemporaryGrant[],
  grantsSuffice: GrantsSuffice,
): TemporaryGrant {
  const byEnd = temporary.toSorted((one, other) => Date.parse(one.until) - Date.parse(other.until));
  const chosen = byEnd.findLast((one) => grantsSuffice([...lasting, one])) ?? byEnd[0];
  if (chosen === undefined) throw new Error('no temporary access found');
  return chosen;
}
