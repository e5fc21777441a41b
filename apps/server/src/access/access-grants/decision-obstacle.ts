import { permissionsBeyond } from '@deviceportal/contract/covers';
import type { AccessGrantObstacle } from '@deviceportal/contract/access-grants';
import { holds, type Grant } from '@deviceportal/contract/permissions';
import type { StoredAccessGrant } from '../data/access-grant-queries.ts';

/** Permissions of a user now. */
export interface Holding {
  /** All accounts of the person. */
  readonly userIds: readonly string[];
  /** Permanent grants: the ones that the user can assign. */
  readonly lasting: readonly Grant[];
}

const NAMED = 5;

/** Why a user cannot decide on a pending request, by the rules of `approveAccessGrant`; null if they can. */
export function decisionObstacle(
  asked: Pick<StoredAccessGrant, 'state' | 'userId' | 'permissions' | 'scope'>,
  { userIds, lasting }: Holding,
): AccessGrantObstacle | null {
  if (asked.state !== 'waiting') return null;
  if (userIds.includes(asked.userId)) return { reason: 'own', permissions: [] };
  if (!holds(lasting, 'access:manage'))
    return { reason: 'not-held', permissions: ['access:manage'] };
  const beyond = permissionsBeyond(lasting, asked);
  return beyond.length === 0 ? null : { reason: 'not-held', permissions: beyond.slice(0, NAMED) };
}
