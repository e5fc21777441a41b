import { join } from 'node:path';
import type { Config } from '../platform/config/config.ts';

/** Where the files of user reports stand until they are too old. */
export function userReportsDirOf({ reportDir }: Pick<Config, 'reportDir'>): string {
  return join(reportDir, 'user-reports');
}
