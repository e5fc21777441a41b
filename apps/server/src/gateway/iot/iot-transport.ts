import { downTopic } from '@deviceportal/device-protocol/topics';
import type { IotPublisher } from '../../platform/aws/aws-package.ts';
import { repeat } from '../../platform/process/repeat.ts';
import { wholePayload } from '../broker/whole-payload.ts';
import type { DeviceTransport } from '../device-transport.ts';
import type { GatewayMeter } from '../gateway-dependencies.ts';
import type { GatewayLogger } from '../gateway-logger.ts';
import type { CertificateRegistry } from './certificate-registry.ts';
import { PublishQueue } from './publish-queue.ts';

export interface IotTransportOptions {
  readonly publisher: IotPublisher;
  readonly registry: Pick<CertificateRegistry, 'settle' | 'remove'>;
  /** How long messages have been received from the queue that AWS IoT fills. */
  readonly listeningMs: () => number;
  readonly logger: GatewayLogger;
  readonly meter: Pick<GatewayMeter, 'dropped'>;
  readonly settleIntervalMs?: number;
}

/** For changes whose notification or call was lost. */
const SETTLE_INTERVAL_MS = 300_000;

/**
 * Devices that are connected to AWS IoT Core. What they send arrives by a queue (`queue/queue-consumer.ts`). A device
 * that may not connect is cut off by its certificate, and then by the end of its connection.
 */
export function openIotTransport(options: IotTransportOptions): DeviceTransport {
  const { publisher, registry, listeningMs, logger, meter } = options;
  const outgoing = new PublishQueue({ publisher, logger, onDropped: () => meter.dropped() });
  const cutting = new Map<string, Promise<void>>();
  const warn = (error: unknown): void =>
    logger.warn({ err: error }, 'certificates of devices not settled');
  const remove = (deviceIds: readonly string[] | null): Promise<void> =>
    registry
      .remove(deviceIds)
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'certificates of retired devices not deleted'),
      );
  const settleAll = async (): Promise<void> => {
    await registry.settle(null);
    await remove(null);
  };
  const rounds = repeat(settleAll, {
    everyMs: options.settleIntervalMs ?? SETTLE_INTERVAL_MS,
    onError: warn,
  });
  const cut = async (deviceId: string): Promise<void> => {
    try {
      await registry.settle([deviceId]);
      await publisher.endConnection(deviceId);
      await remove([deviceId]);
    } catch (error) {
      // The search for blocked connections tries again as long as the device is connected.
      logger.warn({ err: error, deviceId }, 'connection of a device not ended');
    } finally {
      cutting.delete(deviceId);
    }
  };
  return {
    ownsConnections: false,
    listeningMs,
    start: () => Promise.resolve(),
    publish(messages) {
      for (const { deviceId, channel, qos, ...message } of messages)
        outgoing.add({ topic: downTopic(deviceId, channel), payload: wholePayload(message), qos });
    },
    disconnect(deviceIds) {
      for (const deviceId of deviceIds)
        if (!cutting.has(deviceId)) cutting.set(deviceId, cut(deviceId));
    },
    settleCertificates(deviceIds) {
      if (deviceIds.length > 0) registry.settle(deviceIds).catch(warn);
    },
    async [Symbol.asyncDispose]() {
      await rounds[Symbol.asyncDispose]();
      await Promise.all(cutting.values());
      await outgoing[Symbol.asyncDispose]();
    },
  };
}
