import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerMessages, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { UpChannel } from '@deviceportal/device-protocol/topics';
import { upSubject } from './nats-subjects.ts';

/** In which NATS stores messages of MQTT clients with QoS 1 before it acknowledges them. */
const STREAM = '$MQTT_msgs';
const PREFIX = '$MQTT.msgs.';
/** Shared by all gateways. */
const CONSUMER = 'deviceportal';
/** A device sends again what is not acknowledged within a minute, so that older messages are of little use. */
const MAX_AGE_NANOS = 10 * 60 * 1e9;
const MAX_BYTES = 4 * 1024 ** 3;
/** Being written by all gateways together. */
const MOST_UNACKNOWLEDGED = 20_000;
const ACKNOWLEDGED_WITHIN_NANOS = 30 * 1e9;
/** A gateway asks for the next messages when it has passed on three quarters of these. */
const TAKEN_AT_ONCE = 2_000;
/** When the leader of the stream is lost, the next one does not know who has asked it. */
const ASK_AGAIN_MS = 10_000;
const SIGN_OF_LIFE_MS = 2_500;
const API_LIMIT_MS = 5_000;
/** Nodes that start together elect a leader first. */
const ELECTED_WITHIN_MS = 60_000;
const RETRY_MS = 500;
/** Codes of the API (https://github.com/nats-io/nats-server/blob/main/server/errors.json). */
const NO_STREAM = 10_059;
const NOT_CLUSTERED = 10_074;
/** One node of three can be lost. */
const REPLICAS = 3;

/** Channels on which devices publish with QoS 1. */
const channels: readonly UpChannel[] = ['status', 'journal', 'renew'];

/** Messages that NATS delivers again, also to another gateway, until they are acknowledged. */
export async function consumeMessages(
  connection: NatsConnection,
  callback: (subject: string, message: JsMsg) => void,
): Promise<ConsumerMessages> {
  const { jetstream, jetstreamManager } = await import('@nats-io/jetstream');
  const manager = await jetstreamManager(connection, { timeout: API_LIMIT_MS, checkAPI: false });
  await untilElected(() => prepareStream(manager));
  const consumer = await jetstream(connection, { timeout: API_LIMIT_MS }).consumers.get(
    STREAM,
    CONSUMER,
  );
  return consumer.consume({
    ...{ max_messages: TAKEN_AT_ONCE, expires: ASK_AGAIN_MS, idle_heartbeat: SIGN_OF_LIFE_MS },
    callback: (message) => callback(message.subject.slice(PREFIX.length), message),
  });
}

async function untilElected(work: () => Promise<void>): Promise<void> {
  const endsAt = performance.now() + ELECTED_WITHIN_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > endsAt) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** NATS creates the stream with its first MQTT client, but without limits. */
async function prepareStream(manager: JetStreamManager): Promise<void> {
  const limits = { max_age: MAX_AGE_NANOS, max_bytes: MAX_BYTES };
  const { JetStreamApiError } = await import('@nats-io/jetstream');
  const codeOf = (error: unknown) => (error instanceof JetStreamApiError ? error.code : undefined);
  const create = (replicas: number) =>
    manager.streams.add({
      ...{ name: STREAM, subjects: [`${PREFIX}>`], num_replicas: replicas, ...limits },
      ...{ storage: 'file', retention: 'interest' },
    });
  try {
    const { config } = await manager.streams.info(STREAM);
    const isLimited = config.max_age === limits.max_age && config.max_bytes === limits.max_bytes;
    if (!isLimited) await manager.streams.update(STREAM, limits);
  } catch (error) {
    if (codeOf(error) !== NO_STREAM) throw error;
    await create(REPLICAS).catch((failure: unknown) => {
      if (codeOf(failure) !== NOT_CLUSTERED) throw failure;
      return create(1);
    });
  }
  await manager.consumers.add(STREAM, {
    ...{ durable_name: CONSUMER, ack_policy: 'explicit', deliver_policy: 'all' },
    ...{ ack_wait: ACKNOWLEDGED_WITHIN_NANOS, max_ack_pending: MOST_UNACKNOWLEDGED },
    filter_subjects: channels.map((channel) => PREFIX + upSubject('*', channel)),
  });
}
