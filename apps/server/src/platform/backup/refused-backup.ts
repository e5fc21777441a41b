import { StartError } from '../process/start-error.ts';

/** Exit codes of `npm run restore`, besides 1 for everything that is not the backup's fault. */
const RESTORE_EXIT_CODES = { damaged: 2, notProven: 3 } as const;

/** The file is not whole, was changed, or is not for this identity. Its name is put before the message. */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup';
}

/** What a backup that is not whole ends the command with. */
export const asDamaged = (file: string, error: DamagedBackup): StartError =>
  new StartError(`${file} ${error.message}. Nothing was restored.`, {
    exitCode: RESTORE_EXIT_CODES.damaged,
    cause: error,
  });

/** A whole backup whose content is not what the installation sealed. */
export const asNotProven = (reasons: readonly string[]): StartError =>
  new StartError([...reasons, 'Nothing was restored.'].join('\n'), {
    exitCode: RESTORE_EXIT_CODES.notProven,
  });
