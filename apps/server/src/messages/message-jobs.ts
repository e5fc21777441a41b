import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { deliverMessage, type DeliveryDependencies } from './deliver-message.ts';
import { findForgottenMessages } from './data/message-queries.ts';

const FORGOTTEN_AFTER_MS = 30_000;

/** The jobs that send again, and the way to plan one. */
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
  // Jobs do not travel with a backup; what waited in it must not wait for ever.
  const sweep = defineJob('messages-sweep', z.object({}), async () => {
    const before = new Date(base.clock().getTime() - FORGOTTEN_AFTER_MS);
    for (const id of await findForgottenMessages(base.database.orm, before)) {
      await deliverMessage(dependencies, id);
    }
  });
  jobs.define(deliver);
  jobs.define(sweep);
  jobs.schedule(sweep, '* * * * *', {});
  return dependencies;
}
