import { SealMismatchError } from '@deviceportal/identity/key-seal';
import { StartError } from '../platform/process/start-error.ts';

/**
 * Converts an error of opening sealed keys.
 *
 * @returns a StartError if another installation sealed them; any other error unchanged
 */
export function asForeignInstallation(error: unknown, dataDir: string): unknown {
  if (!(error instanceof SealMismatchError)) return error;
  return new StartError(
    `The sign-in keys in the database were sealed by another installation. Copy its keys/installation.key to ${dataDir}/keys. All servers of a database need the same file.`,
    { cause: error },
  );
}
