import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { composeRestore, type ComposedRestore } from '../compose/compose-restore.ts';
import { identityMigrations } from '../compose/identity-migrations.ts';
import { openTrials, timeKey } from '../platform/backup/archive/archive-places.ts';
import { restoreToTime } from '../platform/backup/archive/restore-to-time.ts';
import { openFilePlace } from '../platform/files/open-file-place.ts';
import { openFilePlaces, openFiles } from '../platform/files/open-files.ts';
import type { CommandContext } from '../platform/process/run-command.ts';
import { StartError } from '../platform/process/start-error.ts';

/**
 * Restores the embedded database from the backup location to a point in time, or only tries it.
 * @throws StartError
 */
export async function restoreFromArchive(
  { options, config: given, resources }: CommandContext,
  identities: readonly string[],
): Promise<string> {
  const isTrial = options.has('trial');
  const dataDir = isTrial ? join(given.dataDir, 'trial-restore') : given.dataDir;
  const config = { ...given, dataDir };
  if (config.backups === undefined) {
    throw new StartError('Set the backup location with DEVICEPORTAL_BACKUP_LOCATION.');
  }
  if (config.database.kind !== 'embedded') {
    throw new StartError(
      'Only the embedded database is restored to a point in time. Use the point-in-time recovery of your database, or restore a complete backup.',
    );
  }
  const place = await openFilePlace(config.backups.place, 'DEVICEPORTAL_BACKUP_LOCATION');
  const archive =
    config.files.kind === 'directory'
      ? undefined
      : openFiles(await openFilePlaces(config), config).archive;
  const now = new Date();
  const to = timeOf(options.get('to') ?? '', now);
  if (isTrial) await rm(dataDir, { recursive: true, force: true });
  let composed: ComposedRestore | undefined;
  try {
    const madeAt = await restoreToTime({
      ...{ place, identities, to, dataDir, now, migrations: identityMigrations },
      compose: async (database) =>
        (composed = await composeRestore(resources, {
          ...{ database, config, options, now, archive },
          keptDays: config.retention.auditTrailColdDays,
        })),
    });
    if (isTrial) await openTrials(place).put(`${timeKey(now)}.passed`, line(to));
    return [
      `${isTrial ? 'Tried a restore' : 'Restored the database'} ${to === undefined ? 'with all stored changes' : `to ${to.toISOString()}`}, from the backup of ${madeAt.toISOString()}.`,
      ...(composed?.lines() ?? []),
      isTrial ? 'Nothing was kept.' : 'Start the server with the same --data-dir.',
    ].join('\n');
  } finally {
    // After the connections, which are to a database in it.
    if (isTrial) await rm(dataDir, { recursive: true, force: true });
  }
}

async function* line(to: Date | undefined): AsyncGenerator<string> {
  yield `${to?.toISOString() ?? 'latest'}\n`;
}

function timeOf(text: string, now: Date): Date | undefined {
  if (text === 'latest') return undefined;
  // Without a time zone, it would be a different time on another machine.
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const time = new Date(text);
  if (!isTime || Number.isNaN(time.getTime())) {
    throw new StartError(
      '--to must be "latest" or a time with its time zone, such as 2026-01-31T14:05:00Z.',
    );
  }
  if (time > now) throw new StartError(`--to is in the future (${time.toISOString()}).`);
  return time;
}
