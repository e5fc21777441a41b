import { loadAws } from '../../../platform/aws/load-aws.ts';
import type { AnalyticsConfig, Config } from '../../../platform/config/config.ts';
import type { LocalCopies } from '../../../platform/files/local-copies.ts';
import { locationOfFolder } from '../../../platform/files/file-folders.ts';
import { StartError } from '../../../platform/process/start-error.ts';
import type { Analytics } from '../analytics.ts';
import type { ArchiveTable } from './archive-table.ts';
import { createAthenaHistory } from './athena-history.ts';
import { createDuckDbHistory } from './duckdb-history.ts';
import type { HistoryPort } from './history-port.ts';

const SETTING = 'DEVICEPORTAL_ANALYTICS_WORKGROUP';
/** A search waits for it in the browser. */
const QUERY_LIMIT_MS = 60_000;

interface HistoryParts {
  readonly config: Pick<Config, 'analytics' | 'files'>;
  readonly analytics: Analytics;
  readonly archive: LocalCopies;
}

/** @throws StartError if the package of its client is not installed */
export async function openHistory(parts: HistoryParts): Promise<HistoryPort> {
  const { config, analytics, archive } = parts;
  if (config.analytics === undefined) return createDuckDbHistory({ analytics, archive });
  return createAthenaHistory({
    runQuery: await openAthena(config.analytics),
    table: archiveTableOf(config.analytics, config),
    files: archive.files,
    limitMs: QUERY_LIMIT_MS,
  });
}

/** @throws StartError if the package of its client is not installed */
export async function openAthena({ workgroup, region, endpoint }: AnalyticsConfig) {
  const { createAthenaQueries } = await loadAws('athena', SETTING);
  return createAthenaQueries({ workgroup, region, endpoint });
}

export function archiveTableOf(
  { table }: AnalyticsConfig,
  { files }: Pick<Config, 'files'>,
): ArchiveTable {
  if (files.kind !== 's3') throw new StartError(`${SETTING} requires files in S3.`);
  return { ...table, location: locationOfFolder(files, 'archive') };
}
