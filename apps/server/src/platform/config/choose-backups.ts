import { resolve } from 'node:path';
import type { BackupsConfig } from './config.ts';
import { readS3Location } from './file-location.ts';
import type { SettingValues } from './settings.ts';

const HOUR_MS = 3_600_000;

/** Scheduled backups; undefined unless they have a location. */
export function chooseBackups(
  values: SettingValues,
  workingDir: string,
): BackupsConfig | undefined {
  const { backupLocation: location, backupEndpoint: endpoint } = values;
  const region = values.backupRegion ?? values.region;
  if (location === undefined) return undefined;
  const bucket = readS3Location(location);
  return {
    place:
      bucket === undefined
        ? { kind: 'directory', directory: resolve(workingDir, location) }
        : { kind: 's3', ...bucket, region, endpoint },
    everyMs: values.backupEveryHours * HOUR_MS,
    changesEveryMs: values.backupChangesSeconds * 1_000,
    keptDays: values.backupKeptDays,
  };
}
