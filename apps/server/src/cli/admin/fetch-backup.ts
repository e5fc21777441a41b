import { resolve } from 'node:path';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { openCompleteBackups } from '../../platform/backup/archive/archive-places.ts';
import { openFilePlace } from '../../platform/files/open-file-place.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';

/** Copies a scheduled backup of an external database into a file, which `npm run restore` reads. */
export const fetchBackup: AdminWork = {
  usage: 'KEY|latest FILE',
  words: [2],
  async run({ config }, [wanted = '', name = '']) {
    if (config.backups === undefined) {
      throw new StartError('Set the backup location with DEVICEPORTAL_BACKUP_LOCATION.');
    }
    const place = await openFilePlace(config.backups.place, 'DEVICEPORTAL_BACKUP_LOCATION');
    const store = openCompleteBackups(place);
    const keys: string[] = [];
    for await (const { key } of store.list('')) keys.push(key);
    const key = wanted === 'latest' ? keys.toSorted().at(-1) : wanted.replace(/^complete\//, '');
    const found = key !== undefined && keys.includes(key) ? await store.open(key) : undefined;
    if (found === undefined) {
      throw new StartError(`${place.name} does not contain the backup "${wanted}".`);
    }
    const file = resolve(name);
    const draft = `${file}.partial`;
    try {
      await pipeline(found.content, createWriteStream(draft, { mode: 0o600, flush: true }));
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    return `Copied ${key} (${found.bytes} bytes) to ${file}. It is still encrypted.`;
  },
};
