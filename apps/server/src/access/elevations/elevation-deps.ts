import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { AccessDeps } from '../access-deps.ts';

export interface ElevationDeps extends Pick<AccessDeps, 'database' | 'directory'> {
  readonly changes: ChangeFeed;
}
