import { createLogger } from '../../src/platform/logging.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createJobs } from '../../src/platform/jobs/jobs.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { DeliveryDependencies } from '../../src/messages/deliver-message.ts';
import { defineMessageJobs } from '../../src/messages/message-jobs.ts';
import { createMessageMetrics } from '../../src/messages/message-metrics.ts';
import { createMessageSeal } from '../../src/messages/message-seal.ts';
import { createQueueingMessenger } from '../../src/messages/queueing-messenger.ts';
import { createSmtpChannel } from '../../src/messages/smtp-channel.ts';

export interface MessageFixtureOptions {
  readonly database: Database;
  readonly mailPort: number;
  readonly attemptMs: number;
  readonly onLog?: (line: string) => void;
}

/** The messenger as composed by a server, without the rest of the server. */
export async function openMessageFixture(options: MessageFixtureOptions) {
  await using resources = new AsyncDisposableStack();
  const { database, attemptMs, onLog } = options;
  const logger = createLogger({ logLevel: 'warn' }, { write: (line) => onLog?.(line) });
  const metrics = createMetrics();
  const jobs = resources.use(createJobs({ database, logger, metrics, work: true }));
  const delivery: DeliveryDependencies = defineMessageJobs(jobs, {
    database,
    clock: () => new Date(),
    seal: createMessageSeal(new Uint8Array(32).fill(7)),
    channels: {
      email: createSmtpChannel({
        url: `smtp://127.0.0.1:${options.mailPort}`,
        from: 'Device Portal <portal@corp.example>',
        allowClear: true,
        limitMs: attemptMs - 200,
      }),
    },
    nameOf: async (person) => `user of ${person}`,
    attemptMs,
    metrics: createMessageMetrics(metrics, database),
    logger,
  });
  await jobs.start();
  const messenger = resources.use(
    createQueueingMessenger({ ...delivery, completeReader: async (message) => message }),
  );
  const owned = resources.move();
  return {
    messenger,
    delivery,
    metrics,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
