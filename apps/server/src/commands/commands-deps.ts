import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import type { ParameterVault } from './parameter-vault.ts';

/** What the use-cases of commands work with. */
export interface CommandsDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  /** Encrypts secret parameters at rest. */
  readonly vault: ParameterVault;
  /** A signed link to a collected file, valid for an hour. */
  readonly signArtefactUrl: (artefactId: string) => string;
}
