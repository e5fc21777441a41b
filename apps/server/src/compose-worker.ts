import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { sealAuditTrail } from './audit-trail/seal-audit-trail.ts';
import { createDirectoryArtefactStore } from './commands/artefact-store.ts';
import { deleteEndedArtefacts } from './commands/delete-ended-artefacts.ts';
import type { IdentityParts } from './compose-identity.ts';
import type { Composition } from './composition.ts';
import type { RetentionConfig } from './platform/config/config.ts';
import { defineJob } from './platform/jobs/job.ts';
import { repeat } from './platform/repeat.ts';
import { deleteEnded, type Retention } from './platform/retention.ts';

const SEAL_EVERY_MS = 1_000;
/** Small batches with a rest after each: hashing a burst must not keep requests waiting. About 7,000 a second. */
const SEAL_BATCH = 500;
const SEAL_REST_MS = 50;
const DAY_MS = 86_400_000;

/** What runs beside the requests: the seal of the audit trail, and the end of what is kept for a time only. */
export function composeWorker(
  { platform, resources, clock }: Composition,
  { identity }: IdentityParts,
): void {
  const { config, database, jobs, logger } = platform;
  let stopping = false;
  resources.use(
    repeat(
      async () => {
        while (!stopping && (await sealAuditTrail({ database }, SEAL_BATCH)) === SEAL_BATCH) {
          await sleep(SEAL_REST_MS);
        }
      },
      {
        everyMs: SEAL_EVERY_MS,
        onError: (error) => logger.warn({ err: error }, 'audit trail was not sealed'),
      },
    ),
  );
  // Before the line above waits for its round: a stop does not wait for a burst to be sealed.
  resources.defer(() => {
    stopping = true;
  });
  const store = createDirectoryArtefactStore(join(config.dataDir, 'artefacts'));
  const nothing = z.object({});
  const forget = defineJob('delete-what-has-ended', nothing, async () => {
    for (const retention of retentions(config.retention)) await deleteEnded(database, retention);
    const { invocationOutputDays } = config.retention;
    const endedBefore = new Date(clock().getTime() - invocationOutputDays * DAY_MS);
    await deleteEndedArtefacts({ database, store }, endedBefore);
  });
  const forgetSignIns = defineJob('delete-ended-sign-ins', nothing, () => identity.deleteExpired());
  jobs.define(forget);
  jobs.define(forgetSignIns);
  jobs.schedule(forget, '17 3 * * *', {});
  jobs.schedule(forgetSignIns, '41 * * * *', {});
}

/** Decisions, section 10. The audit trail is not among them: it only grows. */
function retentions(config: RetentionConfig): Retention[] {
  const older = (column: string, days: number) =>
    sql`${sql.identifier(column)} < now() - make_interval(days => ${days})`;
  return [
    { table: 'api_call', ended: older('at', config.apiCallDays) },
    { table: 'geolocation', ended: older('at', config.geolocationDays) },
    {
      table: 'invocation_output',
      ended: sql`invocation_id in (select id from invocation
        where ended_at < now() - make_interval(days => ${config.invocationOutputDays}))`,
    },
    { table: 'claim', ended: sql`expires_at < now() - interval '30 days'` },
  ];
}
