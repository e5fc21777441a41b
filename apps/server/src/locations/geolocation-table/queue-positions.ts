import { queueOutgoing } from '../../data-sources/queue-outgoing.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** Queues positions for the geolocation table. */
export const queuePositions = (
  tx: Transaction,
  positions: readonly { readonly deviceId: string; readonly at: Date }[],
  options?: { readonly isErased: boolean },
): Promise<void> =>
  queueOutgoing(
    tx,
    'geolocations',
    positions.map(({ deviceId, at }) => ({ key: deviceId, sortKey: at.toISOString() })),
    options,
  );
