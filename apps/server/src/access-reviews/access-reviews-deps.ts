import type { RequiredPermission } from '../platform/api.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { AccessDeps } from '../access/access-deps.ts';

export interface AccessReviewsDeps extends Pick<AccessDeps, 'database' | 'directory' | 'clock'> {
  readonly changes: ChangeFeed;
  /** Permissions of the procedures of the product API, by path. */
  readonly permissionsByPath: () => ReadonlyMap<string, RequiredPermission>;
}
