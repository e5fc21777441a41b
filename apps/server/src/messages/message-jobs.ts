import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { deliverMessage, type DeliveryDependencies } from './deliver-message.ts';
import { findOrphanedMessages } from './data/message-queries.ts';

const ORPHANED_AFTER_MS = 30_000;

/** The jobs that retry messages, and the function that schedules one. */
export function defineMessageJobs(
  jobs: Jobs,
  base: Omit<DeliveryDependencies, 'planAttempt'>,
): DeliveryDependencies {
  const deliver = defineJob(
    'messages-deliver',
    z.object({ id: z.uuid() }),
    async ({ id }) => void (await deliverMessage(dependencies, id)),
    { pollingSeconds: 1, concurrency: 4 },
  );
  const dependencies: DeliveryDependencies = {
    ...base,
    planAttempt: (tx, id, at) =>
      jobs.send(deliver, { id }, { tx, startAfter: at, key: `${id} ${at.getTime()}` }),
  };
  // Jobs are not part of a backup; restored messages that were waiting need a new one.
  const sweep = defineJob('messages-sweep', z.object({}), async () => {
    const before = new Date(base.clock().getTime() - ORPHANED_AFTER_MS);
    for (const id of await findOrphanedMessages(base.database.orm, before)) {
      await deliverMessage(dependencies, id);
    }
  });
  jobs.define(deliver);
  jobs.define(sweep);
  jobs.schedule(sweep, '* * * * *', {});
  return dependencies;
}
