import type { QueueOutcome } from '../gateway-dependencies.ts';
import type { AppliedJournal, JournalDelivery } from './apply-journal-batch.ts';

type Delivery = Pick<JournalDelivery, 'deviceId' | 'message'>;

/** What became of each delivery of a batch, also of one that was applied in parts. */
export function readOutcomes({
  acks,
  unserved,
}: Pick<AppliedJournal, 'acks' | 'unserved'>): (delivery: Delivery) => QueueOutcome {
  const refused = new Set(unserved.map(keyOf));
  const ackOf = new Map(acks.map((ack) => [ack.instanceId, ack]));
  return (delivery) => {
    if (refused.has(keyOf(delivery))) return 'refused';
    const { instanceId, epoch, entries } = delivery.message;
    const ack = ackOf.get(instanceId);
    const last = entries.at(-1)?.seq ?? 0;
    return ack?.epoch === epoch && last <= ack.upTo ? 'committed' : 'deferred';
  };
}

const keyOf = ({ deviceId, message }: Delivery): string => `${deviceId}/${message.instanceId}`;
