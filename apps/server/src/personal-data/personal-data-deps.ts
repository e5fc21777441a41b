import type { AccessDeps } from '../access/access-deps.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import type { LinkHolder } from '../platform/person-links.ts';
import type { ErasingNames } from './erase/erasing-names.ts';

export interface PersonalDataDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly changes: ChangeFeed;
  readonly directory: AccessDeps['directory'];
  readonly userReportFiles: FileStore;
  /** Has exported records, which are deleted after their retention. */
  readonly exportFiles: FileStore;
  /** Names that answers must not contain any more. */
  readonly erasingNames: ErasingNames;
  /** Updates the register of erased people outside the database. */
  readonly keepRegister: () => Promise<void>;
  /** A link to an exported record, only for this user and valid for an hour. */
  readonly signRecordUrl: (fileName: string, holder: LinkHolder) => string;
}
