/**
 * Makes the scheduled backups of a server in a process of their own, so that compression and encryption do not delay
 * requests. Started by `compose-backups.ts` with the arguments and the environment of the server; ends with it.
 */
import { identityMigrations } from '../identity-migrations.ts';
import { openOwnSecrets } from '../../installation/open-own-secrets.ts';
import type { BackupsConfig, Config } from '../../platform/config/config.ts';
import { readConfig } from '../../platform/config/read-config.ts';
import { openAsOwner, openUnmigrated } from '../../platform/database/open-migrated.ts';
import { openFilePlace } from '../../platform/files/open-file-place.ts';
import { openFilePlaces, openFiles } from '../../platform/files/open-files.ts';
import { createLogger } from '../../platform/logging.ts';
import { runProgram } from '../../platform/process/run-program.ts';
import { followTrials } from '../../backups/follow-trials.ts';
import { createBackupRecorder } from '../../backups/record-backup.ts';
import { runArchive } from '../../backups/run-archive.ts';
import { runCompleteBackups } from '../../backups/run-complete-backups.ts';

await runProgram(async (stopRequested) => {
  const config = readConfig({
    argv: process.argv.slice(2),
    env: process.env,
    workingDir: process.cwd(),
  });
  if (config.backups === undefined) return;
  const orphaned = new Promise<void>((resolve) => process.stdin.once('end', resolve).resume());
  await using resources = new AsyncDisposableStack();
  resources.use(await startBackups(resources, config, config.backups));
  await Promise.race([stopRequested, orphaned]);
});

async function startBackups(
  resources: AsyncDisposableStack,
  config: Config,
  { place: placeConfig, ...schedule }: BackupsConfig,
): Promise<AsyncDisposable> {
  const logger = createLogger(config);
  const clock = (): Date => new Date();
  const isEmbedded = config.database.kind === 'embedded';
  const options = { logger, exclusive: false };
  const database = isEmbedded
    ? (await openAsOwner(resources, config, options)).owner
    : (await openUnmigrated(resources, config, options)).database;
  const place = await openFilePlace(placeConfig, 'DEVICEPORTAL_BACKUP_LOCATION');
  const secrets = await openOwnSecrets({ database, config });
  const files = openFiles(await openFilePlaces(config), config);
  const parts = {
    ...{ database, dataDir: config.dataDir, clock },
    recipients: config.backupRecipients,
    auditKeys: secrets.signingKeys('audit'),
  };
  const recorder = createBackupRecorder({ database, place: place.name, clock });
  const onError = (error: unknown) => logger.warn({ err: error }, 'scheduled backup failed');
  const run = {
    ...schedule,
    ...{ recorder, onError },
  };
  resources.use(followTrials({ place, recorder, onError }));
  if (!isEmbedded) {
    const backup = { ...parts, files, migrations: identityMigrations };
    return runCompleteBackups({ ...run, backup, place });
  }
  const isHere = config.files.kind === 'directory';
  const context = { ...parts, place, keptDays: schedule.keptDays };
  return runArchive({ ...run, context: { ...context, files: isHere ? files : undefined } });
}
