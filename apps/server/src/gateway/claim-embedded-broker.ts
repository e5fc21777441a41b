import type { Database } from '../platform/database/database.ts';
import {
  holdSessionLock,
  LockHeldError,
  type SessionLock,
} from '../platform/database/connections/session-lock.ts';
import { StartError } from '../platform/process/start-error.ts';
import type { GatewayLogger } from './gateway-logger.ts';

export interface ClaimOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly logger: GatewayLogger;
  /** Called if another server has taken over while the database was not reachable from here. */
  readonly onLost: (error: StartError) => void;
}

/**
 * Makes this server the only one that serves devices with its embedded broker: each would count the
 * devices of the other as disconnected, and a command reaches only the devices of its own.
 *
 * @throws StartError if another server does
 */
export async function claimEmbeddedBroker({
  database,
  logger,
  onLost,
}: ClaimOptions): Promise<SessionLock> {
  try {
    return await holdSessionLock({
      database,
      name: 'broker',
      onLost: (holder) => onLost(refusal(holder)),
      onError: (error) => logger.warn({ err: error }, 'broker lock not confirmed'),
    });
  } catch (error) {
    throw error instanceof LockHeldError ? refusal(error.holder) : error;
  }
}

const refusal = (holder: string): StartError =>
  new StartError(
    `The server ${holder} already serves the devices of this database with its embedded broker, and only one server can. Stop it, start this one without the role gateway (--roles), or set DEVICEPORTAL_MQTT_URL to one broker on all servers.`,
  );
