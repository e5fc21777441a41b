import type { MadeByElevation } from '@deviceportal/contract/elevations';
import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { AccessDeps } from '../access-deps.ts';

export interface ElevationDeps extends Pick<AccessDeps, 'database' | 'directory'> {
  readonly changes: ChangeFeed;
}

/** What was made by temporary access, newest first. */
export type FindMade = (elevationId: string) => Promise<readonly MadeByElevation[]>;
