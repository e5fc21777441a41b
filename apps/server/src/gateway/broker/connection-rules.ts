import {
  PACKET_QUOTA,
  SUBSCRIPTIONS_PER_PACKET,
  TOPIC_LIMIT_CHARACTERS,
  VIEWER_MESSAGE_QUOTA,
} from '@deviceportal/contract/device-limits';
import { TokenBucket } from '../../platform/token-buckets.ts';
import type { PacketRules } from './guard-packets.ts';

type Packet = Parameters<PacketRules['allows']>[0];

/** Limits of what one connection may send. Messages of devices are slowed down instead (`DeviceThrottle`). */
export function connectionRules(
  kind: 'device' | 'viewer',
  onTooMany: () => void,
): PacketRules['allows'] {
  const packets = new TokenBucket(PACKET_QUOTA);
  const messages = new TokenBucket(VIEWER_MESSAGE_QUOTA);
  return (packet) => {
    if (!isWellFormed(packet)) return false;
    const isWithin =
      packet.cmd !== 'publish' ? packets.take() : kind === 'device' || messages.take();
    if (!isWithin) onTooMany();
    return isWithin;
  };
}

/** QoS 2 is not used; it would keep every message in memory until it is released. */
function isWellFormed({ cmd, qos, topic, subscriptions, unsubscriptions }: Packet): boolean {
  if (cmd === 'publish') return qos !== 2 && isShort(topic ?? '');
  const filters = [...(subscriptions ?? []).map((each) => each.topic), ...(unsubscriptions ?? [])];
  return filters.length <= SUBSCRIPTIONS_PER_PACKET && filters.every(isShort);
}

const isShort = (topic: string): boolean => topic.length <= TOPIC_LIMIT_CHARACTERS;
