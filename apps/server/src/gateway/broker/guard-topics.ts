import type { AedesOptions } from 'aedes';
import type { BatchPort } from './broker-batch-port.ts';
import { mayPublish, maySubscribe, type BrokerIdentity } from './broker-policy.ts';
import { captureUp } from '../capture-up.ts';
import type { ConnectionIdentities } from './connection-identities.ts';
import { DevicePace } from '../device-pace.ts';
import type { HeldPubacks } from './held-pubacks.ts';
import { StatusQuota } from '../status-quota.ts';

export interface TopicGuard {
  readonly port: BatchPort;
  readonly held: HeldPubacks;
  readonly identities: ConnectionIdentities;
}

/** Which client may publish and subscribe to what; messages go to the main thread. */
export function guardTopics({
  port,
  held,
  identities,
}: TopicGuard): Required<Pick<AedesOptions, 'authorizePublish' | 'authorizeSubscribe'>> {
  const pace = new DevicePace();
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
        return done(new Error('not allowed to publish there'));
      }
      // Retained messages would outlive the device's rights, in memory.
      packet.retain = false;
      if (identity.kind === 'device' && client && !statuses.take(client, packet.topic)) {
        port.overflow(identity.deviceId, 'status-reports');
        return done(new Error('says too often that it is there'));
      }
      captureUp({ port, held, pace }, { identity, connection: client?.id ?? '', packet }, done);
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
