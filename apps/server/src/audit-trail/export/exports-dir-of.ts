import { join } from 'node:path';
import type { Config } from '../../platform/config/config.ts';

/** The folder of audit exports. */
export function exportsDirOf({ reportDir }: Pick<Config, 'reportDir'>): string {
  return join(reportDir, 'exports');
}
