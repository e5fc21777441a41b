import type { MadeByAccessGrant } from '@deviceportal/contract/access-grants';
import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { AccessDeps } from '../access-deps.ts';

export interface AccessGrantDeps extends Pick<AccessDeps, 'database' | 'directory'> {
  readonly changes: ChangeFeed;
}

/** Objects created by means of temporary access, newest first. */
export type FindCreatedObjects = (accessGrantId: string) => Promise<readonly MadeByAccessGrant[]>;
