import { queueOutgoing } from '../../data-sources/queue-outgoing.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { SoftwareChange } from '../software-change.ts';

/** Queues the devices whose components changed for the device version table. */
export const queueDevices = (
  tx: Transaction,
  changes: readonly Pick<SoftwareChange, 'deviceId'>[],
): Promise<void> =>
  queueOutgoing(
    tx,
    'device-versions',
    changes.map(({ deviceId }) => ({ key: deviceId, sortKey: '' })),
  );
