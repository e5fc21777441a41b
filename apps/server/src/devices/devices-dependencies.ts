import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';

/** Dependencies of the use-cases of this slice. */
export interface DevicesDependencies {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  /** The command that installs the agent on a machine with this claim. */
  readonly installCommand: (claimToken: string) => Promise<string>;
}
