import type { AedesOptions } from 'aedes';
import type { BatchPort } from './broker-batch-port.ts';
import { mayPublish, maySubscribe, type BrokerIdentity } from './broker-policy.ts';
import { forwardPublish } from '../forward-publish.ts';
import type { ConnectionIdentities } from './connection-identities.ts';
import { DeviceThrottle } from '../device-throttle.ts';
import type { HeldPubacks } from './held-pubacks.ts';
import { StatusQuota } from '../status-quota.ts';

export interface TopicGuard {
  readonly port: BatchPort;
  readonly held: HeldPubacks;
  readonly identities: ConnectionIdentities;
}

/** Restricts the topics to which each client may publish and subscribe; messages go to the main thread. */
export function guardTopics({
  port,
  held,
  identities,
}: TopicGuard): Required<Pick<AedesOptions, 'authorizePublish' | 'authorizeSubscribe'>> {
  const throttle = new DeviceThrottle();
  const statuses = new StatusQuota();
  const refuse = (
    identity: BrokerIdentity | undefined,
    reason: 'foreign-topic' | 'foreign-subscription',
    topic: string,
  ): void => {
    if (identity?.kind !== 'device') return;
    const { deviceId, address } = identity;
    port.refuse({ deviceId, reason, address, detail: topic.slice(0, 200) });
  };
  return {
    authorizePublish(client, packet, done) {
      const identity = identities.of(client);
      if (!identity || !mayPublish(identity, packet.topic)) {
        refuse(identity, 'foreign-topic', packet.topic);
        return done(new Error('not allowed to publish on this topic'));
      }
      // A retained message would stay in memory after the device has lost its permission.
      packet.retain = false;
      if (identity.kind === 'device' && client && !statuses.take(client, packet.topic)) {
        port.overflow(identity.deviceId, 'status-reports');
        return done(new Error('sends its status too often'));
      }
      forwardPublish(
        { port, held, throttle },
        { identity, connection: client?.id ?? '', packet },
        done,
      );
    },
    authorizeSubscribe(client, subscription, done) {
      const identity = identities.of(client);
      if (identity && maySubscribe(identity, subscription.topic)) return done(null, subscription);
      refuse(identity, 'foreign-subscription', subscription.topic);
      // A failure in the SUBACK (MQTT 3.1.1, section 3.9.3).
      done(null, null);
    },
  };
}
