import { refuse } from '@deviceportal/contract/refuse';
import type { ReachingUser } from '../access/data/users-reaching.ts';
import type { Transaction } from '../platform/database/database.ts';
import { findAssignees } from './data/find-assignees.ts';

/**
 * The user, if they can manage cases for the person. Users who do not exist are refused in the same way.
 * @throws PortalError 2004
 */
export async function requireAssignee(
  tx: Transaction,
  personId: string,
  id: string,
): Promise<ReachingUser> {
  const [found] = await findAssignees(tx, personId, { id, limit: 1 });
  if (found === undefined) throw refuse('assignee-without-access', { field: 'assigneeId' });
  return found;
}
