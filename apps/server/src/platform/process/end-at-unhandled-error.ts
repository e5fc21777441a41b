import pino from 'pino';
import type { Config } from '../config/config.ts';
import { createLogger } from '../logging.ts';

/**
 * An unhandled error leaves the process in an unknown state. It exits with code 1 after logging the
 * error, masked like every log line. A supervisor restarts it.
 */
export function endAtUnhandledError(config: Pick<Config, 'logLevel'>): void {
  process.once('uncaughtException', (error, origin) => {
    const logger = createLogger(config, pino.destination({ dest: 2, sync: true }));
    logger.fatal({ err: error, origin }, 'process ended by an unhandled error');
    process.exit(1);
  });
}
