import type { FastifyInstance } from 'fastify';
import type { ChangeFeed } from './change-feed.ts';
import type { Config } from './config/config.ts';
import type { Database } from './database/database.ts';
import type { InstallationFiles } from './files/open-files.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Logger } from './logging.ts';
import type { Metrics } from './metrics.ts';
import type { ReadinessBoard } from './readiness-board.ts';

/** Shared services of all slices. Created once per process by `openPlatform`. */
export interface Platform {
  readonly config: Config;
  /** The actual port, also if the configuration requests a free one. */
  readonly port: number;
  /** Set permanently at the first start; base of the issuer and of links. */
  readonly publicUrl: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: ReadinessBoard;
  readonly database: Database;
  /** False if the server's role can change the audit trail. */
  readonly leastPrivilege: boolean;
  readonly files: InstallationFiles;
  readonly changes: ChangeFeed;
  readonly jobs: Jobs;
  readonly http: FastifyInstance;
}
