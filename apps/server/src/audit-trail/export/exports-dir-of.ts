import { join } from 'node:path';
import type { Config } from '../../platform/config/config.ts';

/** Where the files of audit exports stand until they are too old. */
export function exportsDirOf({ reportDir }: Pick<Config, 'reportDir'>): string {
  return join(reportDir, 'exports');
}
