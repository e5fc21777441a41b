import { permissionsBeyond } from '@deviceportal/contract/covers';
import { holds, type Grant } from '@deviceportal/contract/permissions';
import { findGrantsOfOthers } from '../data/approver-queries.ts';
import { findSamePeople } from '../data/same-people.ts';
import type { Executor } from '../../platform/database/database.ts';

export interface Approver {
  readonly userId: string;
  readonly subject: string;
}

/**
 * Users who can approve a request: all other users who manage access and hold all requested permissions permanently.
 */
export async function findApprovers(
  executor: Executor,
  asked: { readonly userId: string; readonly grant: Grant },
): Promise<Approver[]> {
  const others = await findGrantsOfOthers(executor, asked.userId);
  const able = others.flatMap(({ userId, subject, grants }) =>
    holds(grants, 'access:manage') && permissionsBeyond(grants, asked.grant).length === 0
      ? [{ userId, subject }]
      : [],
  );
  const ids = able.map(({ userId }) => userId);
  const same = await findSamePeople(executor, ids, [asked.userId]);
  return able.filter(({ userId }) => !same.includes(userId));
}
