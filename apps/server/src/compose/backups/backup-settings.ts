import type { BackupsSettings } from '../../backups/backups-deps.ts';
import { nameOfFilePlace } from '../../platform/files/name-of-file-place.ts';
import type { Composition } from '../composition.ts';

/** What the portal shows of the backup schedule; undefined if no backups are scheduled. */
export function backupSettings({ platform, clock }: Composition): BackupsSettings | undefined {
  const { backups, database } = platform.config;
  if (backups === undefined) return undefined;
  const { place, ...schedule } = backups;
  return {
    ...schedule,
    place: nameOfFilePlace(place),
    database: database.kind === 'embedded' ? 'embedded' : 'external',
    since: clock(),
  };
}
