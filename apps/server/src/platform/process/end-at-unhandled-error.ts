import pino from 'pino';
import type { Config } from '../config/config.ts';
import { createLogger } from '../logging.ts';

/**
 * What no handler met leaves the process in a state that is not known: it ends with code 1, and the last line of its log
 * says why, masked like every other line. A supervisor starts it again.
 */
export function endAtUnhandledError(config: Pick<Config, 'logLevel'>): void {
  process.once('uncaughtException', (error, origin) => {
    const logger = createLogger(config, pino.destination({ dest: 2, sync: true }));
    logger.fatal({ err: error, origin }, 'ended by an error that nothing handled');
    process.exit(1);
  });
}
