import { join } from 'node:path';
import { folderOf } from './parts.ts';
import { startPart, type RunningPart } from './start-part.ts';

/** The ID of a certificate at IoT is the digest of its DER, as at AWS. */
const PROGRAM = `
from moto.core.config import default_user_config
default_user_config["iot"] = {"use_valid_cert": True}
from moto.server import main
main()`;

/**
 * Most other services, in memory: Secrets Manager, parameters, STS, IoT, KMS, SNS, SES, Athena. It
 * checks no signature and few limits.
 */
export function startMoto(): Promise<RunningPart> {
  return startPart({
    program: join(folderOf('moto'), 'bin', 'python'),
    args: (port) => ['-c', PROGRAM, '-H', '127.0.0.1', '-p', String(port)],
  });
}
