import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { advanceAirBlasts } from '../air-blast/steps/advance-air-blast.ts';
import type { AirBlastDeps } from '../air-blast/air-blast-deps.ts';
import { openAnchors } from '../audit-trail/anchors/open-anchors.ts';
import { runAnchors } from '../audit-trail/anchors/run-anchors.ts';
import { coldDirOf } from '../audit-trail/cold/cold-dir-of.ts';
import { openAnalytics } from '../audit-trail/cold/open-analytics.ts';
import { scheduleAuditMonths } from '../audit-trail/schedule-audit-months.ts';
import { endDueElevations } from '../access/elevations/end-elevations.ts';
import { keepUsersInStep } from '../access/users/keep-users-in-step.ts';
import { exportsDirOf } from '../audit-trail/export/exports-dir-of.ts';
import { runSealer } from '../audit-trail/sealing/run-sealer.ts';
import { createDirectoryArtefactStore } from '../commands/artefacts/artefact-store.ts';
import { deleteOrphanedArtefacts } from '../commands/artefacts/delete-orphaned-artefacts.ts';
import { deleteEndedArtefacts } from '../commands/artefacts/delete-ended-artefacts.ts';
import { commandRetentions } from '../commands/data/command-retentions.ts';
import { findScheduleCreator } from './find-schedule-creator.ts';
import { fireSchedules } from '../commands/schedules/fire-schedules.ts';
import type { SharedSecrets } from './compose-gateway.ts';
import type { IdentityParts } from './compose-identity.ts';
import type { Composition } from './composition.ts';
import type { RetentionConfig } from '../platform/config/config.ts';
import { defineJob } from '../platform/jobs/job.ts';
import { deleteOldFiles } from '../platform/files/delete-old-files.ts';
import { createAnnouncer } from '../notifications/announce-notifications.ts';
import { reportRetentions } from '../reports/data/report-retentions.ts';
import { userReportsDirOf } from '../reports/user-reports-dir-of.ts';
import { sendNotices } from '../notifications/send-notices.ts';
import { deleteOldPackageChanges } from '../packages/data/delete-old-package-changes.ts';
import { repeat } from '../platform/process/repeat.ts';
import { deleteOldVersionChanges } from '../versions/data/delete-old-version-changes.ts';
import { deleteOrphanedSoftware } from '../versions/software-files/delete-orphaned-software.ts';
import { scheduleVersionCounts } from '../versions/schedule-version-counts.ts';
import { rotateDueRings } from '../signing-keys/rotate-due-rings.ts';
import { restateDevices } from '../versions/restate-devices.ts';
import { softwareDirOf } from '../versions/software-files/software-dir-of.ts';
import { deleteEnded, type Retention } from '../platform/retention.ts';

const FIRE_EVERY_MS = 1_000;
/** Polling interval for rollouts whose wave has finished. */
const AIR_BLAST_EVERY_MS = 1_000;
const NOTICES_EVERY_MS = 1_000;
/** Polling interval for updating the devices of a version. Stopping waits for one round. */
const RESTATE_EVERY_MS = 1_000;
const RESTATE_LIMIT_MS = 3_000;
/** Polling interval for changes made in the user pool itself. */
const USERS_EVERY_MS = 60_000;
/** Polling interval for expired permissions, to record them and update screens. */
const ELEVATIONS_EVERY_MS = 1_000;
const DAY_MS = 86_400_000;
/** Uploads whose link has expired (after one hour) cannot be resumed. */
const ORPHAN_DAYS = 1;

/** Background work: sealing the audit trail, and deleting data at the end of its retention. */
export async function composeWorker(
  { platform, resources, clock, secrets, auditSigner, announce: sayAtStart }: Composition,
  {
    identity,
    provider,
    directory,
    notices,
    vault,
    parameters,
    airBlast,
  }: IdentityParts &
    Pick<SharedSecrets, 'vault' | 'parameters'> & { readonly airBlast: AirBlastDeps },
): Promise<void> {
  const { config, database, jobs, logger } = platform;
  const announce = createAnnouncer({ database, changes: platform.changes });
  await runSealer(resources, {
    database,
    signer: auditSigner,
    clock,
    changes: platform.changes,
    logger,
    metrics: platform.metrics,
    readiness: platform.readiness,
    announce: sayAtStart,
  });
  await runAnchors(resources, {
    database,
    clock,
    targets: await openAnchors(config.audit.anchors),
    logger,
    metrics: platform.metrics,
    readiness: platform.readiness,
  });
  resources.use(
    repeat(
      () =>
        advanceAirBlasts(airBlast, (error, id) =>
          logger.warn({ err: error, airBlast: id }, 'AirBlast advance failed'),
        ),
      {
        everyMs: AIR_BLAST_EVERY_MS,
        onError: (error) => logger.warn({ err: error }, 'AirBlast poll failed'),
      },
    ),
  );
  resources.use(
    repeat(
      () =>
        fireSchedules({
          database,
          changes: platform.changes,
          clock,
          vault,
          signing: airBlast.signing,
          sendNew: airBlast.sendNew,
          parameters,
          findCreator: (creator) => findScheduleCreator({ database, directory, clock }, creator),
        }),
      {
        everyMs: FIRE_EVERY_MS,
        onError: (error) => logger.warn({ err: error }, 'schedule poll failed'),
      },
    ),
  );
  resources.use(
    repeat(async () => void (await restateDevices({ database }, { limitMs: RESTATE_LIMIT_MS })), {
      everyMs: RESTATE_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'device version status update failed'),
    }),
  );
  resources.use(
    repeat(() => keepUsersInStep({ database, directory }), {
      everyMs: USERS_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'user pool sync failed'),
    }),
  );
  resources.use(
    repeat(() => endDueElevations({ database, changes: platform.changes }), {
      everyMs: ELEVATIONS_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'access grant poll failed'),
    }),
  );
  const artefactsDir = join(config.dataDir, 'artefacts');
  const store = createDirectoryArtefactStore(artefactsDir);
  resources.use(
    repeat(
      async () => {
        await announce();
        await sendNotices({ database, notices, publicUrl: platform.publicUrl });
      },
      {
        everyMs: NOTICES_EVERY_MS,
        onError: (error) => logger.warn({ err: error }, 'notification delivery failed'),
      },
    ),
  );
  const nothing = z.object({});
  const forget = defineJob('delete-what-has-ended', nothing, async () => {
    for (const retention of retentions(config.retention)) await deleteEnded(database, retention);
    const { invocationOutputDays, exportDays, softwareHistoryDays } = config.retention;
    await deleteOldVersionChanges(database, { days: softwareHistoryDays });
    await deleteOldPackageChanges(database, { days: softwareHistoryDays });
    const before = (days: number): Date => new Date(clock().getTime() - days * DAY_MS);
    await deleteEndedArtefacts({ database, store }, before(invocationOutputDays));
    const exportFiles = await deleteOldFiles(exportsDirOf(config), before(exportDays));
    await deleteOldFiles(userReportsDirOf(config), before(exportDays));
    if (exportFiles > 0) logger.info({ exportFiles }, 'expired export files deleted');
    const orphans =
      (await deleteOrphanedSoftware({ database }, softwareDirOf(config), before(ORPHAN_DAYS))) +
      (await deleteOrphanedArtefacts({ database }, artefactsDir, before(ORPHAN_DAYS)));
    if (orphans > 0) logger.info({ orphans }, 'orphaned files deleted');
  });
  const forgetSignIns = defineJob('delete-ended-sign-ins', nothing, async () => {
    await identity.deleteExpired();
    for (const { use, signsFrom } of await identity.maintainKeys()) {
      logger.info({ use, signsFrom }, 'new signing key published');
    }
    const key = await provider?.maintainKeys();
    if (key !== undefined) logger.info(key, 'new provider signing key published');
  });
  const rotate = defineJob('device-keys-rotate', nothing, () =>
    rotateDueRings({ database, secrets, clock, maxAgeDays: config.secretMaxAgeDays.runs }),
  );
  jobs.define(rotate);
  jobs.schedule(rotate, '23 * * * *', {});
  jobs.define(forget);
  jobs.define(forgetSignIns);
  jobs.schedule(forget, '17 3 * * *', {});
  jobs.schedule(forgetSignIns, '41 * * * *', {});
  scheduleAuditMonths({
    database,
    jobs,
    clock,
    logger,
    coldDir: coldDirOf(config),
    analytics: resources.use(openAnalytics()),
    hotDays: config.retention.auditTrailHotDays,
    coldDays: config.retention.auditTrailColdDays,
  });
  scheduleVersionCounts({ database, jobs, clock });
}

/**
 * docs/design/decisions.md, section 10. The audit trail is not included, because it is append-only.
 */
function retentions(config: RetentionConfig): Retention[] {
  const older = (column: string, days: number) =>
    sql`${sql.identifier(column)} < portal_now() - make_interval(days => ${days})`;
  return [
    { table: 'api_call', ended: older('at', config.apiCallDays) },
    { table: 'geolocation', ended: older('at', config.geolocationDays) },
    ...commandRetentions(config.invocationOutputDays),
    { table: 'fleet_trend', ended: sql`at < portal_now() - interval '8 days'` },
    { table: 'finding_history', ended: sql`closed_at < portal_now() - interval '180 days'` },
    { table: 'outgoing_message', ended: sql`ended_at < portal_now() - interval '30 days'` },
    // Notifications that are unread for 90 days or were read 30 days ago.
    {
      table: 'notification',
      ended: sql`at < portal_now() - interval '90 days' or read_at < portal_now() - interval '30 days'`,
    },
    ...reportRetentions(),
    { table: 'installation_server', ended: sql`seen_at < portal_now() - interval '1 day'` },
    { table: 'device_presence', ended: sql`seen_at < portal_now() - interval '1 day'` },
    { table: 'device_wait', ended: sql`created_at < portal_now() - interval '90 days'` },
    // The maximum duration of a location view. The audit trail keeps the record of it.
    { table: 'location_look', ended: sql`at < portal_now() - interval '1 day'` },
    { table: 'place_count', ended: sql`devices = 0` },
    { table: 'claim', ended: sql`expires_at < portal_now() - interval '30 days'` },
  ];
}
