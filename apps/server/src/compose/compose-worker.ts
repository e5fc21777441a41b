import { openAnchors } from '../audit-trail/anchors/open-anchors.ts';
import { runAnchors } from '../audit-trail/anchors/run-anchors.ts';
import { join } from 'node:path';
import { openAnalytics } from '../audit-trail/archive/open-analytics.ts';
import { scheduleAuditMonths } from '../audit-trail/schedule-audit-months.ts';
import { openStreams } from '../audit-trail/streaming/open-streams.ts';
import { runStreams } from '../audit-trail/streaming/run-streams.ts';
import { runSealer } from '../audit-trail/sealing/run-sealer.ts';
import { schedulePersonSearch } from '../people/schedule-person-search.ts';
import { scheduleRunTrend } from '../commands/run-trend.ts';
import { scheduleDeviceMetrics } from '../device-metrics/schedule-device-metrics.ts';
import { scheduleVersionCounts } from '../versions/schedule-version-counts.ts';
import { composeTickets } from './alerts/compose-tickets.ts';
import { composeWebhooks } from './alerts/compose-webhooks.ts';
import { composeAlerts } from './alerts/compose-alerts.ts';
import type { PersonalDataParts } from './compose-personal-data.ts';
import type { Composition } from './composition.ts';
import { scheduleMaintenance } from './schedule-maintenance.ts';
import { startPolls, type WorkerParts } from './start-polls.ts';

/**
 * Background work: sealing the audit trail, polls (schedules, rollouts, notifications, temporary access), and deleting data
 * at the end of its retention.
 */
export async function composeWorker(
  composition: Composition,
  parts: WorkerParts & { readonly personalData: PersonalDataParts },
): Promise<void> {
  const { platform, resources, clock, auditSigner, announce } = composition;
  const { config, database, files, jobs, logger } = platform;
  await runSealer(resources, {
    database,
    signer: auditSigner,
    clock,
    changes: platform.changes,
    logger,
    metrics: platform.metrics,
    readiness: platform.readiness,
    announce,
  });
  await runAnchors(resources, {
    database,
    clock,
    targets: await openAnchors(config.audit.anchors),
    logger,
    metrics: platform.metrics,
    readiness: platform.readiness,
  });
  const analytics = resources.use(openAnalytics());
  await runStreams(resources, {
    ...{ database, clock, analytics, logger },
    archive: files.archive,
    showsPeople: config.audit.streams.showsPeople,
    sinks: await openStreams(config.audit.streams, clock),
    metrics: platform.metrics,
    readiness: platform.readiness,
  });
  startPolls(composition, parts);
  composeAlerts(composition, parts);
  composeTickets(composition);
  composeWebhooks(composition, parts);
  scheduleMaintenance(composition, parts);
  scheduleAuditMonths({
    database,
    jobs,
    clock,
    logger,
    archive: files.archive,
    scratchDir: join(config.dataDir, 'scratch'),
    analytics,
    tableDays: config.retention.auditTrailHotDays,
    keptDays: config.retention.auditTrailColdDays,
  });
  await scheduleDeviceMetrics({ database, jobs, clock, logger, retention: config.retention });
  scheduleVersionCounts({ database, jobs, clock });
  scheduleRunTrend({ database, jobs, clock });
  schedulePersonSearch({ database, jobs });
}
