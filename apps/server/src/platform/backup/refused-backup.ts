import { StartError } from '../process/start-error.ts';

/** Exit codes of `npm run restore`; 1 is for all errors not caused by the backup. */
const RESTORE_EXIT_CODES = { damaged: 2, notProven: 3 } as const;

/**
 * The file is incomplete, was changed, or is encrypted for another identity. The message is
 * prefixed with the file name.
 */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup';
}

/** The start error of a damaged backup. */
export const asDamaged = (file: string, error: DamagedBackup): StartError =>
  new StartError(`${file} ${error.message}. Nothing was restored.`, {
    exitCode: RESTORE_EXIT_CODES.damaged,
    cause: error,
  });

/** The start error of a complete backup whose content does not match its seals. */
export const asNotProven = (reasons: readonly string[]): StartError =>
  new StartError([...reasons, 'Nothing was restored.'].join('\n'), {
    exitCode: RESTORE_EXIT_CODES.notProven,
  });
