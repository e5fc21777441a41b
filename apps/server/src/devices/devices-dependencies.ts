import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';

/** What the use-cases of this slice need. */
export interface DevicesDependencies {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  /** Address of the portal as devices reach it, for the install command. */
  readonly publicUrl: string;
}
