import type { Messenger, OutgoingMessage } from '@deviceportal/identity/messenger';
import { findReader } from '../access/find-reader.ts';
import type { Composition } from './composition.ts';
import { defineMessageJobs } from '../messages/message-jobs.ts';
import { createMessageMetrics } from '../messages/message-metrics.ts';
import { createMessageSeal } from '../messages/message-seal.ts';
import { createNoticeQueue, type NoticeQueue } from '../messages/notice-queue.ts';
import { createQueueingMessenger } from '../messages/queueing-messenger.ts';
import { DeliveryError, type DeliveryChannel } from '../messages/delivery-channel.ts';
import { createSesChannel } from '../messages/ses-channel.ts';
import { createSmsWebhookChannel } from '../messages/sms-webhook-channel.ts';
import { createSmtpChannel } from '../messages/smtp-channel.ts';
import { createSnsChannel } from '../messages/sns-channel.ts';
import type { OutboxEvents } from '../outbox/outbox-events.ts';
import { createOutboxMessenger } from '../outbox/outbox-messenger.ts';
import { createOutboxNotices } from '../outbox/outbox-notices.ts';
import { loadAws } from '../platform/aws/load-aws.ts';
import type { EmailConfig, SmsConfig } from '../platform/config/config.ts';
import { keyPurposes } from '../platform/secrets/key-purposes.ts';

/** Longer than the timeout of every channel. */
const ATTEMPT_MS = 25_000;

/**
 * Delivery of messages: by email and text message, with retries by jobs, or on a page of this machine.
 * @throws StartError if a package that delivers them is not installed
 */
export async function composeMessenger(
  composition: Composition,
  outboxEvents: OutboxEvents,
): Promise<{ readonly messenger: Messenger; readonly notices: NoticeQueue }> {
  const { platform, resources, clock, secrets, print, contacts } = composition;
  const { config, database, jobs, logger, metrics } = platform;
  const readerOf = (person: string | undefined) => findReader(database.orm, person);
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
  const { email, sms } = config.messenger;
  const delivery = defineMessageJobs(jobs, {
    database,
    clock,
    seal: createMessageSeal(secrets.keysFor(keyPurposes.messages)),
    channels: {
      email: recorded(await openEmailChannel(email), contacts),
      ...(sms && { sms: recorded(await openSmsChannel(sms), contacts) }),
    },
    nameOf: async (person) => (await readerOf(person))?.username,
    attemptMs: ATTEMPT_MS,
    metrics: createMessageMetrics(metrics, database),
    logger,
  });
  const messenger = resources.use(createQueueingMessenger({ ...delivery, completeReader }));
  return { messenger, notices: createNoticeQueue(delivery) };
}

/** A rejected recipient is an answer, not a fault. */
const recorded = (
  channel: DeliveryChannel,
  contacts: Composition['contacts'],
): DeliveryChannel => ({
  async deliver(delivery, handOver) {
    try {
      await channel.deliver(delivery, handOver);
    } catch (error) {
      if (error instanceof DeliveryError) {
        if (error.failure === 'refused') contacts.answered('messages');
        else contacts.failed('messages', new Error(error.reason));
      }
      throw error;
    }
    contacts.answered('messages');
  },
});

async function openEmailChannel(config: EmailConfig): Promise<DeliveryChannel> {
  if (config.kind === 'smtp') return createSmtpChannel(config);
  const { createSesMail } = await loadAws('ses-mail', 'DEVICEPORTAL_MESSENGER');
  return createSesChannel({ from: config.from, send: createSesMail(config) });
}

async function openSmsChannel(config: SmsConfig): Promise<DeliveryChannel> {
  if (config.kind === 'webhook') return createSmsWebhookChannel(config);
  const { createSnsText } = await loadAws('sns-text', 'DEVICEPORTAL_SMS_GATEWAY');
  return createSnsChannel(createSnsText(config));
}
