import type { InternalHosts } from '../platform/outside/internal-hosts.ts';
import type { TextVault } from '../commands/output/text-vault.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';

export interface TicketsDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  readonly publicUrl: string;
  readonly tickets: {
    /** Seals the secret of the connection. */
    readonly vault: TextVault;
    readonly internalHosts: InternalHosts;
  };
}
