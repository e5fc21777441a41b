import type { TextVault } from '../commands/output/text-vault.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';

export interface ImportsDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  readonly installCommand: (claimToken: string) => Promise<string>;
  readonly imports: {
    /** Seals the rows of files. */
    readonly vault: TextVault;
    /** The address to which the file of an import is sent. */
    readonly signUpload: (importId: string) => string;
  };
}
