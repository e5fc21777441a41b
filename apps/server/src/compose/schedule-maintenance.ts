import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { advanceReview } from '../access-reviews/advance-review.ts';
import { webhookRetentions } from '../webhooks/data/webhook-retentions.ts';
import { alertRetentions } from '../alerts/data/alert-retentions.ts';
import { apiTokenRetentions } from '../api-tokens/data/api-token-retentions.ts';
import { permissionsByPath } from '../api/permissions-by-path.ts';
import { deleteEndedArtifacts } from '../commands/artifacts/delete-ended-artifacts.ts';
import { deleteOrphanedArtifacts } from '../commands/artifacts/delete-orphaned-artifacts.ts';
import { commandRetentions } from '../commands/data/command-retentions.ts';
import { importRetentions } from '../imports/data/import-retentions.ts';
import { advanceHolds } from '../legal-holds/advance-holds.ts';
import { isAnythingHeld, isHeld } from '../legal-holds/data/held.ts';
import { isAnyHoldStanding } from '../legal-holds/data/hold-queries.ts';
import { deleteOldPackageChanges } from '../packages/data/delete-old-package-changes.ts';
import type { RetentionConfig } from '../platform/config/config.ts';
import { deleteOldFiles } from '../platform/files/delete-old-files.ts';
import { defineJob } from '../platform/jobs/job.ts';
import { deleteEnded, type Retention } from '../platform/retention.ts';
import { deleteOrphanedReports } from '../reports/delete-orphaned-reports.ts';
import { reportRetentions } from '../reports/data/report-retentions.ts';
import { rotateDueRings } from '../signing-keys/rotate-due-rings.ts';
import { deleteOrphanedContent } from '../device-files/sweep-device-files.ts';
import { terminalRetention } from '../terminals/data/terminal-retention.ts';
import { deleteExpiredRecordings } from '../terminals/schedule-terminals.ts';
import { webPageRetention } from '../web-pages/data/web-page-retention.ts';
import { deleteOldVersionChanges } from '../versions/data/delete-old-version-changes.ts';
import { deleteOrphanedSoftware } from '../versions/software-files/delete-orphaned-software.ts';
import type { IdentityParts } from './compose-identity.ts';
import type { Composition } from './composition.ts';

const DAY_MS = 86_400_000;
/** Uploads whose link has expired (after one hour) cannot be resumed. */
const ORPHAN_DAYS = 1;

/** Jobs that delete data at the end of its retention, replace keys that are due, and advance the review of access. */
export function scheduleMaintenance(
  { platform, clock, secrets }: Composition,
  { identity, provider, directory }: Pick<IdentityParts, 'identity' | 'provider' | 'directory'>,
): void {
  const { config, database, jobs, logger } = platform;
  const nothing = z.object({});
  const forget = defineJob('delete-what-has-ended', nothing, () =>
    deleteWhatHasEnded({ platform, clock }),
  );
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
  const review = defineJob('access-review', nothing, () =>
    advanceReview(
      { database, directory, clock, changes: platform.changes, permissionsByPath },
      config.accessReview,
    ),
  );
  jobs.define(review);
  jobs.schedule(review, '11 * * * *', {});
  jobs.define(rotate);
  jobs.schedule(rotate, '23 * * * *', {});
  jobs.define(forget);
  jobs.define(forgetSignIns);
  jobs.schedule(forget, '17 3 * * *', {});
  jobs.schedule(forgetSignIns, '41 * * * *', {});
}

/** The nightly deletion. What a legal hold covers is kept. */
export async function deleteWhatHasEnded({
  platform: { config, database, files, logger },
  clock,
}: Pick<Composition, 'platform' | 'clock'>): Promise<void> {
  await advanceHolds({ database });
  // Before the sessions, which are kept as long as their recordings.
  await deleteExpiredRecordings(database, { days: config.retention.terminalRecordingDays });
  for (const retention of retentions(config.retention)) await deleteEnded(database, retention);
  const { invocationOutputDays, exportDays, softwareHistoryDays } = config.retention;
  await deleteOldVersionChanges(database, { days: softwareHistoryDays });
  await deleteOldPackageChanges(database, { days: softwareHistoryDays });
  const before = (days: number): Date => new Date(clock().getTime() - days * DAY_MS);
  await deleteEndedArtifacts({ database, store: files.artifacts }, before(invocationOutputDays));
  // What a file contains is not known here, so any hold keeps all of them.
  const keepsFiles = await isAnyHoldStanding(database.orm);
  const exportFiles = keepsFiles ? 0 : await deleteOldFiles(files.exports, before(exportDays));
  if (!keepsFiles) await deleteOldFiles(files.userReports, before(exportDays));
  if (exportFiles > 0) logger.info({ exportFiles }, 'expired export files deleted');
  const orphans =
    (await deleteOrphanedSoftware({ database }, files.software, before(ORPHAN_DAYS))) +
    (await deleteOrphanedArtifacts({ database }, files.artifacts, before(ORPHAN_DAYS))) +
    (await deleteOrphanedContent({ database, contents: files.deviceFiles }, before(ORPHAN_DAYS))) +
    (await deleteOrphanedReports({ database }, files.userReports, before(ORPHAN_DAYS))) +
    (await files.exports.removeUnfinished({ before: before(ORPHAN_DAYS) }));
  if (orphans > 0) logger.info({ orphans }, 'orphaned files deleted');
}

/**
 * docs/design/decisions.md, section 10. The audit trail is not included, because it is append-only.
 */
function retentions(config: RetentionConfig): Retention[] {
  const column = (name: string) => sql.identifier(name);
  const older = (name: string, days: number) =>
    sql`${column(name)} < portal_now() - make_interval(days => ${days})`;
  return [
    {
      table: 'api_call',
      ended: sql`${older('at', config.apiCallDays)} and not ${isHeld({ user: column('user_id'), at: column('at') })}`,
    },
    {
      table: 'geolocation',
      ended: sql`${older('at', config.geolocationDays)} and not ${isHeld({ device: column('device_id'), at: column('at') })}`,
    },
    ...commandRetentions(config.invocationOutputDays),
    ...alertRetentions(),
    ...webhookRetentions(),
    ...apiTokenRetentions(),
    terminalRetention(config.deviceSessionDays),
    webPageRetention(config.deviceSessionDays),
    ...importRetentions(),
    {
      table: 'ticket_delivery',
      ended: sql`ended_at < portal_now() - interval '90 days' and not ${isAnythingHeld}`,
    },
    { table: 'step_up', ended: sql`confirmed_at < portal_now() - interval '1 day'` },
    // Hourly for a week, and at noon for the rest of the trend.
    {
      table: 'fleet_trend',
      ended: sql`at < portal_now() - interval '31 days'
        or at < portal_now() - interval '8 days' and date_part('hour', at at time zone 'UTC') <> 12`,
    },
    {
      table: 'finding_history',
      ended: sql`closed_at < portal_now() - interval '180 days'
        and not ${isHeld({ device: column('device_id'), at: column('closed_at') })}`,
    },
    {
      table: 'outgoing_message',
      ended: sql`ended_at < portal_now() - interval '30 days' and not ${isAnythingHeld}`,
    },
    // Notifications that are unread for 90 days or were read 30 days ago.
    {
      table: 'notification',
      ended: sql`(at < portal_now() - interval '90 days' or read_at < portal_now() - interval '30 days')
        and not ${isHeld({ user: column('user_id'), at: column('at') })}`,
    },
    ...reportRetentions(),
    { table: 'installation_server', ended: sql`seen_at < portal_now() - interval '1 day'` },
    { table: 'device_presence', ended: sql`seen_at < portal_now() - interval '1 day'` },
    { table: 'device_wait', ended: sql`created_at < portal_now() - interval '90 days'` },
    // The maximum duration of a location view. The audit trail keeps the record of it.
    { table: 'location_look', ended: sql`at < portal_now() - interval '1 day'` },
    // The audit trail keeps what was asked for.
    { table: 'device_file_request', ended: sql`created_at < portal_now() - interval '1 day'` },
    { table: 'place_count', ended: sql`devices = 0` },
    { table: 'fleet_count', ended: sql`devices = 0` },
    { table: 'fleet_finding_count', ended: sql`devices = 0` },
    { table: 'wrong_claim_count', ended: sql`until < portal_now()` },
    { table: 'claim', ended: sql`expires_at < portal_now() - interval '30 days'` },
  ];
}
