import { scopesOf } from '@deviceportal/contract/permissions';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { isInvocationWithin } from '../data/invocation-queries.ts';

/** Whether a viewer can see an invocation and its collected files. */
export const isInvocationVisible = (
  { database }: Pick<CommandsDeps, 'database'>,
  viewer: Viewer,
  invocationId: string,
): Promise<boolean> =>
  isInvocationWithin(database.orm, scopesOf(viewer.grants, ['commands:read']), invocationId);
