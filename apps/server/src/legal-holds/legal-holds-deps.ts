import type { Database } from '../platform/database/database.ts';

export interface LegalHoldsDeps {
  readonly database: Database;
  readonly clock: () => Date;
}
