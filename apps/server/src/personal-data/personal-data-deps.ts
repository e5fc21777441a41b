import type { AccessDeps } from '../access/access-deps.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import type { LinkHolder } from '../platform/person-links.ts';

export interface PersonalDataDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly changes: ChangeFeed;
  readonly directory: AccessDeps['directory'];
  /** Where the files of user reports are kept. */
  readonly userReportsDir: string;
  /** Where records of people are kept until they are too old. */
  readonly exportsDir: string;
  /** Keeps outside the database who was erased. */
  readonly keepRegister: () => Promise<void>;
  /** A link to a record for one person, valid for an hour. */
  readonly signRecordUrl: (fileName: string, holder: LinkHolder) => string;
}
