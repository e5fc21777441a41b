import { newId } from '@deviceportal/contract/ids';
import { findReader } from '../access/find-reader.ts';
import { messageLanguage } from '../messages/render-message.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { AlertNotice } from './alert-notice.ts';
import type { StoredAlert } from './data/alert-queries.ts';
import { insertDeliveries } from './data/delivery-queries.ts';
import { destinationsOf, findOwnerSubject, type StoredRule } from './data/rule-queries.ts';
import type { CountedDevice } from './find-counted-devices.ts';

interface StateChange {
  readonly event: 'firing' | 'resolved';
  readonly alert: StoredAlert;
  readonly at: Date;
  /** Some of the devices that are counted. */
  readonly devices: readonly CountedDevice[];
}

/** Queues one delivery of a state change for each destination of a rule. */
export async function queueDeliveries(
  tx: Transaction,
  rule: StoredRule,
  { event, alert, at, devices }: StateChange,
): Promise<void> {
  const destinations = await destinationsOf(tx, [rule.id]);
  if (destinations.length === 0) return;
  const notice: AlertNotice = {
    ...{ event, alertId: alert.id, ruleId: rule.id, rule: rule.name, severity: alert.severity },
    ...{ condition: alert.condition, unit: alert.unit, above: alert.above },
    ...{ matching: alert.matching, total: alert.total, reason: alert.reason },
    ...{ startedAt: alert.startedAt.toISOString(), at: at.toISOString() },
    devices: devices.map(({ id, serialNumber, name }) => ({ id, serialNumber, name })),
    language: await languageOf(tx, rule.ownerId),
  };
  await insertDeliveries(
    tx,
    destinations.map(({ id, kind, sealed }) => ({
      ...{ id: newId(), alertId: alert.id, ownerId: rule.ownerId, destinationId: id },
      ...{ kind, event, notice, sealed, freeAt: at, createdAt: at },
    })),
  );
}

export async function languageOf(
  tx: Transaction,
  ownerId: string,
): Promise<AlertNotice['language']> {
  const subject = await findOwnerSubject(tx, ownerId);
  return messageLanguage((await findReader(tx, subject))?.language);
}
