import { join } from 'node:path';
import { watchBackups } from '../../backups/watch-backups.ts';
import { openFilePlace } from '../../platform/files/open-file-place.ts';
import { requireUsablePlace } from '../../platform/files/require-usable-place.ts';
import { keepRunning } from '../../platform/process/child-program.ts';
import type { Composition } from '../composition.ts';

const programFile = join(import.meta.dirname, 'backup-process.ts');

/**
 * Starts the process that makes scheduled backups, and watches its results.
 * @throws StartError if the backup location cannot be used
 */
export async function composeBackups({ platform, resources, clock }: Composition): Promise<void> {
  const { config, database, changes, metrics, readiness, logger } = platform;
  const { backups } = config;
  if (backups === undefined) return;
  await requireUsablePlace(await openFilePlace(backups.place, 'DEVICEPORTAL_BACKUP_LOCATION'));
  resources.use(
    watchBackups({
      ...{ database, changes, metrics, readiness, clock, schedule: backups },
      onError: (error) => logger.warn({ err: error }, 'backups could not be checked'),
    }),
  );
  resources.use(
    keepRunning({
      name: 'scheduled backups',
      file: programFile,
      args: process.argv.slice(2),
      logger,
    }),
  );
}
