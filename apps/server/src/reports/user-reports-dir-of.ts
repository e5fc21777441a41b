import { join } from 'node:path';
import type { Config } from '../platform/config/config.ts';

/** The directory of user report files until they expire. */
export function userReportsDirOf({ reportDir }: Pick<Config, 'reportDir'>): string {
  return join(reportDir, 'user-reports');
}
