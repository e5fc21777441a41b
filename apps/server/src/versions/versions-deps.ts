import type { Database } from '../platform/database/database.ts';

export interface VersionsDeps {
  readonly database: Database;
  readonly clock: () => Date;
}
