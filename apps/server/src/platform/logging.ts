import pino, { type Logger } from 'pino';
import type { Config } from './config/config.ts';
import { serializeError } from './process/error-serializer.ts';

export type { Logger } from 'pino';

/** Paths that can contain secrets in log objects. Inputs of procedures are never logged. */
const REDACTED = [
  'input',
  'password',
  'token',
  'idToken',
  'authorization',
  'cookie',
  'code',
  'secret',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** JSON lines on standard error. Standard output is for the operator. */
export function createLogger(
  config: Pick<Config, 'logLevel'>,
  destination: pino.DestinationStream = pino.destination({ dest: 2, sync: false }),
): Logger {
  return pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // `code` of an error is a SQLSTATE or errno, not a sign-in code, and is needed.
      redact: { paths: REDACTED.filter((path) => path !== '*.code'), censor: '[hidden]' },
      serializers: { err: serializeError },
    },
    destination,
  );
}
