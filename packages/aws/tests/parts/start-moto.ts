import { join } from 'node:path';
import { folderOf } from './parts.ts';
import { startPart, type RunningPart } from './start-part.ts';

/**
 * Most other services, in memory: Secrets Manager, parameters, STS, IoT, KMS, SNS, SES, Athena. It
 * checks no signature and few limits.
 */
export function startMoto(): Promise<RunningPart> {
  return startPart({
    program: join(folderOf('moto'), 'bin', 'python'),
    args: (port) => ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)],
  });
}
