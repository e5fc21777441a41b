import type { TableSource } from '@deviceportal/contract/data-sources';
import type { Database } from '../platform/database/database.ts';

export interface DataSourcesDeps {
  readonly database: Database;
  /** Undefined for the database. */
  readonly tableNames: Readonly<Record<TableSource, string | undefined>>;
}
