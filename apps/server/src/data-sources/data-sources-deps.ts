import type { DataSourceConfig } from '../platform/config/config.ts';
import type { Database } from '../platform/database/database.ts';

export interface DataSourcesDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly dataSources: readonly DataSourceConfig[];
}
