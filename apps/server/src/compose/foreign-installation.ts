import { SealMismatchError } from '@deviceportal/identity/key-seal';
import { StartError } from '../platform/process/start-error.ts';

/**
 * What to throw for a failure to open sealed keys.
 *
 * @returns a StartError where another installation has sealed them; every other error as it is
 */
export function asForeignInstallation(error: unknown, dataDir: string): unknown {
  if (!(error instanceof SealMismatchError)) return error;
  return new StartError(
    `The sign-in keys in the database were sealed by another installation: copy its keys/installation.key into ${dataDir}/keys (every server of one database needs the same file).`,
    { cause: error },
  );
}
