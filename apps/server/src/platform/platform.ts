import type { FastifyInstance } from 'fastify';
import type { ChangeFeed } from './change-feed.ts';
import type { Config } from './config/config.ts';
import type { Database } from './database/database.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Logger } from './logging.ts';
import type { Metrics } from './metrics.ts';
import type { ReadinessBoard } from './readiness-board.ts';

/** What every slice may build on. Made once per process by `openPlatform`. */
export interface Platform {
  readonly config: Config;
  /** The port that is really used, where the configuration asks for a free one. */
  readonly port: number;
  /** Frozen at the first start; the base of issuer and links. */
  readonly publicUrl: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: ReadinessBoard;
  readonly database: Database;
  readonly databaseUrl: string;
  /** False where the server's role could change the audit trail. */
  readonly leastPrivilege: boolean;
  readonly changes: ChangeFeed;
  readonly jobs: Jobs;
  readonly http: FastifyInstance;
}
