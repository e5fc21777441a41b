import type { Analytics } from '../../audit-trail/archive/analytics.ts';
import type { HistoryPort } from '../../audit-trail/archive/history/history-port.ts';
import { openHistory } from '../../audit-trail/archive/history/open-history.ts';
import { openAnalytics } from '../../audit-trail/archive/open-analytics.ts';
import type { LocalCopies } from '../../platform/files/local-copies.ts';
import type { Composition } from '../composition.ts';

/** Archived months of the audit trail: their files, and what answers questions on them. */
export interface HistoryParts {
  /** Reads the files themselves, for exports and verification. */
  readonly analytics: Analytics;
  readonly archive: LocalCopies;
  readonly history: HistoryPort;
}

/** @throws StartError if a workgroup requires a package that is not installed */
export async function composeHistory(composition: Composition): Promise<HistoryParts> {
  const { config, files } = composition.platform;
  const analytics = composition.resources.use(openAnalytics());
  const parts = { analytics, archive: files.archive };
  return { ...parts, history: await openHistory({ config, ...parts }) };
}
