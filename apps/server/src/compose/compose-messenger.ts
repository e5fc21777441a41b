import type { Messenger, OutgoingMessage } from '@deviceportal/identity/messenger';
import { findReader } from '../access/find-reader.ts';
import type { Composition } from './composition.ts';
import { defineMessageJobs } from '../messages/message-jobs.ts';
import { createMessageMetrics } from '../messages/message-metrics.ts';
import { createMessageSeal } from '../messages/message-seal.ts';
import { createNoticeQueue, type NoticeQueue } from '../messages/notice-queue.ts';
import { createQueueingMessenger } from '../messages/queueing-messenger.ts';
import { createSmsWebhookChannel } from '../messages/sms-webhook-channel.ts';
import { createSmtpChannel } from '../messages/smtp-channel.ts';
import type { OutboxEvents } from '../outbox/outbox-events.ts';
import { createOutboxMessenger } from '../outbox/outbox-messenger.ts';
import { createOutboxNotices } from '../outbox/outbox-notices.ts';
import { keyPurposes } from '../platform/secrets/key-purposes.ts';

/** Longer than the timeout of every channel. */
const ATTEMPT_MS = 25_000;

/**
 * Delivery of messages: by mail server and SMS gateway, with retries by jobs, or on a page of this
 * machine.
 */
export function composeMessenger(
  composition: Composition,
  outboxEvents: OutboxEvents,
): { readonly messenger: Messenger; readonly notices: NoticeQueue } {
  const { platform, resources, clock, secrets, print } = composition;
  const { config, database, jobs, logger, metrics } = platform;
  const readerOf = (person: string | undefined) => findReader({ database }, person);
  // The attribute of the user pool takes precedence over the language setting in the portal.
  const completeReader = async (message: OutgoingMessage): Promise<OutgoingMessage> => ({
    ...message,
    locale: message.locale ?? (await readerOf(message.person))?.language,
  });
  if (config.messenger.kind === 'outbox') {
    const messenger = createOutboxMessenger({ database, clock, completeReader }, ({ to, code }) => {
      outboxEvents.emit();
      if (config.loopback && code !== null) print(`Sign-in code for ${to}: ${code}`);
    });
    return { messenger, notices: createOutboxNotices(clock) };
  }
  const { smsWebhook } = config.messenger;
  const delivery = defineMessageJobs(jobs, {
    database,
    clock,
    seal: createMessageSeal(secrets.keysFor(keyPurposes.messages)),
    channels: {
      email: createSmtpChannel(config.messenger),
      ...(smsWebhook && { sms: createSmsWebhookChannel(smsWebhook) }),
    },
    nameOf: async (person) => (await readerOf(person))?.username,
    attemptMs: ATTEMPT_MS,
    metrics: createMessageMetrics(metrics, database),
    logger,
  });
  const messenger = resources.use(createQueueingMessenger({ ...delivery, completeReader }));
  return { messenger, notices: createNoticeQueue(delivery) };
}
