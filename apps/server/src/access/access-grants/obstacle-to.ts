import { permissionsBeyond } from '@deviceportal/contract/covers';
import type { AccessGrantObstacle } from '@deviceportal/contract/access-grants';
import { holds, type Grant } from '@deviceportal/contract/permissions';
import type { StoredAccessGrant } from '../data/access-grant-queries.ts';

/** What somebody holds at this moment. */
export interface Holding {
  /** Their accounts. */
  readonly userIds: readonly string[];
  /** What they hold for good, and so can give. */
  readonly lasting: readonly Grant[];
}

const NAMED = 5;

/** Why somebody cannot answer a request that waits, as `approveAccessGrant` would refuse it; null where they can. */
export function obstacleTo(
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
