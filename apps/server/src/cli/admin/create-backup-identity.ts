import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { makeIdentity } from '../../platform/backup/backup-encryption.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';

/** Creates the identity with which backups are decrypted, for operators without the age tools. */
export const createBackupIdentity: AdminWork = {
  usage: 'FILE',
  words: [1],
  async run(_context, [name = '']) {
    const file = resolve(name);
    const { text, recipient } = await makeIdentity(new Date());
    await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((error: Error) => {
      throw new StartError(`Cannot write ${file}: ${error.message}.`, { cause: error });
    });
    return [
      `Identity written to ${file}. Store it on another machine. It decrypts every backup that is encrypted for it.`,
      `DEVICEPORTAL_BACKUP_RECIPIENT=${recipient}`,
    ].join('\n');
  },
};
